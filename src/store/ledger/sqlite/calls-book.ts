// The numbers of batches whose calls are kept elsewhere, on SQLite. A transaction there awaits
// nothing, so what it needs of the calls is read before it. Must stay true: it commits only if no
// other batch has counted since, by whichever process.

import type { SqliteFile } from '../../sqlite/file.ts'
import type { Snapshots } from '../../sqlite/snapshots.ts'
import type { Sql, SqlValue, Statement } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { toScope } from '../../usage/sql/rebuild-scope.ts'
import { readPrices } from '../../usage/sqlite/requests.ts'
import type { BatchRange, CallsBook, CountedBatches } from '../calls-book.ts'

/** Longer than any batch is being written: what is older was given up. */
const GIVEN_UP_SECONDS = 3600
/** A process that was stopped might still send its rows: they must not count, so long after. */
const OLD_SECONDS = 30 * 86_400

const LAST = 'SELECT last_batch AS batch FROM tally'
const SET_LAST = 'UPDATE tally SET last_batch = ?'
const HIDE = 'INSERT INTO hidden_batches (first_batch, last_batch, at) VALUES (?, ?, unixepoch())'
const SHOW = 'DELETE FROM hidden_batches WHERE first_batch = ?'
const COUNTED = 'SELECT counted_batches AS batch FROM tally'
const COUNT = 'UPDATE tally SET counted_batches = counted_batches + 1 WHERE counted_batches = ?'
const HIDDEN = `SELECT first_batch AS "from", last_batch AS "to" FROM hidden_batches
  ORDER BY first_batch`
const GIVEN_UP = `SELECT first_batch AS "from", last_batch AS "to",
    at < unixepoch() - ${OLD_SECONDS} AS is_old
  FROM hidden_batches WHERE at < unixepoch() - ${GIVEN_UP_SECONDS}`
const KEPT_FROM = 'SELECT removed_before AS removed FROM tally'
const REMOVED = 'UPDATE tally SET removed_before = MAX(COALESCE(removed_before, 0), ?)'
const SUMS = 'SELECT call_sums AS sums FROM tally'
const REPLACE_SUMS = 'UPDATE tally SET call_sums = ? WHERE call_sums IS ?'

export function createSqliteCallsBook(file: SqliteFile, snapshots: Snapshots): CallsBook {
  function hide(first: number, last: number): void {
    file.prepareOnce(HIDE).run(first, last)
    file.prepareOnce(SET_LAST).run(last)
  }

  /** Asked once: the file is another one only where the process is, too. */
  let readLast: (() => Promise<number>) | null = null

  async function skip(last: number): Promise<void> {
    if (last <= readKnown(file)) return
    file.transact(() => {
      const known = readKnown(file)
      if (last > known) hide(known + 1, last)
    })
  }

  return {
    readTogether: (read) => snapshots.read(({ sql }) => read(sql)),
    async readBatches(sql): Promise<CountedBatches> {
      const hidden = await sql.all<BatchRange>(HIDDEN)
      return {
        last: await readNumber(sql, LAST),
        hidden: hidden.map(({ from, to }) => ({ from, to })),
      }
    },
    async take() {
      if (readLast !== null) await skip(await readLast())
      readLast = null
      return file.transact(() => {
        const batch = readKnown(file) + 1
        hide(batch, batch)
        return batch
      })
    },
    skip,
    findLastBy(read) {
      readLast = read
    },
    async confirm(sql, batch) {
      const counted = await readNumber(sql, COUNTED)
      const statements = [
        { text: SHOW, values: [batch] },
        { text: COUNT, values: [counted] },
      ]
      return { statements, next: null }
    },
    listGivenUp: async () =>
      file
        .prepareOnce<BatchRange & { readonly is_old: number }>(GIVEN_UP)
        .all()
        .map(({ from, to, is_old: isOld }) => ({ from, to, isOld: isOld === 1 })),
    async forget({ from }) {
      file.transact(() => file.prepareOnce(SHOW).run(from))
    },
    async readKeptFrom(sql) {
      const row = await sql.first<{ removed: number | null }>(KEPT_FROM)
      return toScope(row?.removed ?? null).fromMs
    },
    async markRemoved(beforeMs) {
      file.transact(() => file.prepareOnce(REMOVED).run(beforeMs))
    },
    readSums: async (sql) => (await sql.first<{ sums: string | null }>(SUMS))?.sums ?? null,
    replaceSums: async (before, after) =>
      file.transact(() => file.prepareOnce(REPLACE_SUMS).run(after, before)) === 1,
    readPrices: async (versions) => readPrices(file, versions),
  }
}

function readKnown(file: SqliteFile): number {
  return file.prepareOnce<{ batch: number }>(LAST).first()?.batch ?? 0
}

/** How many batches count: it tells whether one more does than when something was read. */
export function readCountedBatches(file: SqliteFile): number {
  return file.prepareOnce<{ batch: number }>(COUNTED).first()?.batch ?? 0
}

/** Another batch has counted since what a transaction rests on was read. */
export class CountedSince extends StoreBusy {}

/** In their transaction; throws CountedSince where it has to be made again. */
export function runConfirmation(file: SqliteFile, statements: readonly Statement[]): void {
  for (const { text, values } of statements) {
    const changed = file.prepareOnce(text).run(...(values as SqlValue[]))
    if (changed !== 1) throw new CountedSince(`${file.title} was changed meanwhile.`)
  }
}

async function readNumber(sql: Sql, text: string): Promise<number> {
  return (await sql.first<{ batch: number }>(text))?.batch ?? 0
}
