// A transaction with which the number of a batch counts. Another process may count one after this
// one's calls were looked for: then they are looked for again, under the same number.

import type { SqliteFile } from '../../sqlite/file.ts'
import type { Snapshots } from '../../sqlite/snapshots.ts'
import type { Sql, Statement } from '../../sql/sql.ts'
import { CountedSince, runConfirmation } from './calls-book.ts'

/** More in a row are a sign of something else. */
const ATTEMPTS_MAX = 8

export interface Confirming {
  readonly snapshots: Snapshots
  /** What is to be run, from what counts in that moment. */
  readonly confirm: (sql: Sql) => Promise<readonly Statement[]>
}

/** `transact` runs what it is given within its transaction, after all that rests on the moment. */
export async function transactConfirmed<Result>(
  file: SqliteFile,
  { snapshots, confirm }: Confirming,
  transact: (makeItCount: () => void) => Result | Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    const statements = await snapshots.read(({ sql }) => confirm(sql))
    try {
      return await transact(() => runConfirmation(file, statements))
    } catch (error) {
      if (!(error instanceof CountedSince) || attempts === ATTEMPTS_MAX) throw error
    }
  }
}
