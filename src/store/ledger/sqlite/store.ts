// The ledger's book and the usage in one SQLite file, so one transaction writes a batch to both.
// Single calls are in it, too, or in a database of their own.

import { WeirError } from '../../../core/weir-error.ts'
import { openSqliteFile, SqliteFile } from '../../sqlite/file.ts'
import type { SqliteFileOptions } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { readFirstCallAt } from '../../usage/sqlite/first-call.ts'
import { createSqliteUsage } from '../../usage/sqlite/store.ts'
import type { OpenRecords } from '../calls-book.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore } from '../ledger-store.ts'
import { countOwnRecords } from './budget-count.ts'
import { createBudgetCounter } from './budget-spend.ts'
import { readCountedBatches } from './calls-book.ts'
import { createStore } from './create-store.ts'
import type { Writer } from './create-store.ts'
import { adoptState } from './journal-state.ts'
import { MIGRATIONS } from './migrations.ts'
import { openOutsideStore } from './outside/store.ts'
import { createBatchWriter } from './write-batch.ts'

export interface SqliteLedgerOptions {
  readonly file: string
  /** Whose cursors and open calls are read and written. */
  readonly owner?: LedgerOwner
  /** The file has no other owner: what others left in it becomes this owner's. */
  readonly isSole?: boolean
  /** For processes that only read: several may run beside the one that writes. */
  readonly readOnly?: boolean
  /** Where single calls are; by default in the same file. */
  readonly openRecords?: OpenRecords
  /** Only the book is wanted: no matter where the calls are. */
  readonly isBookOnly?: boolean
}

// How long a statement waits for another process. A batch locks the file for well under a second.
const BUSY_TIMEOUT_MS = 10_000
// A batch's rollup rows are spread over their index. With SQLite's default 2 MiB of cache and a
// checkpoint every 1000 pages, each batch would read and write the same pages several times.
const CACHE_KIB = 65_536
const WAL_PAGES = 16_384
// During a long read (a backup, a rebuild) there is no checkpoint and the log grows. What exceeds
// this size is given back to the disk afterwards.
const WAL_BYTES_KEPT = 134_217_728

export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<LedgerStore> {
  const { owner = NO_OWNER, isSole = false, readOnly = false, openRecords } = options
  const connection: SqliteFileOptions = {
    file: options.file,
    name: 'usage store',
    migrations: MIGRATIONS,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    readOnly,
  }
  const fixed = { owner, canWrite: !readOnly }
  function prepare(file: SqliteFile): SqliteFile {
    if (options.isBookOnly !== true) requirePlace(file, openRecords !== undefined)
    if (readOnly) return file
    if (isSole) adoptState(file, owner)
    file.database.exec(SETTINGS)
    return file
  }
  if (openRecords === undefined) {
    return openSqliteFile(connection, (file) => createOwnStore(prepare(file), fixed))
  }
  const openConnection = (how: { readonly readOnly: boolean }): SqliteFile =>
    new SqliteFile({ ...connection, ...how })
  const file = await openSqliteFile(connection, prepare)
  return openOutsideStore(file, { ...fixed, openRecords, openConnection })
}

const SETTINGS = `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
  PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`

/** Calls in two places would be counted in one of them. */
function requirePlace(file: SqliteFile, isOutside: boolean): void {
  if (isOutside && file.prepare('SELECT 1 FROM records LIMIT 1').first() !== null) {
    const message = `${file.title} has calls of its own, but usage.url names a database for them.`
    throw new WeirError('store_unusable', message, {
      hint: 'Stored calls are not moved there. Unset usage.url (WEIR_USAGE_URL) to go on as before, or start on another data directory.',
    })
  }
  if (!isOutside && readCountedBatches(file) > 0) {
    const message = `${file.title} has the sums of calls that are in ClickHouse, but usage.url is not set.`
    throw new WeirError('store_unusable', message, {
      hint: 'Set usage.url (WEIR_USAGE_URL) to the ClickHouse database of the calls.',
    })
  }
}

function createOwnStore(
  file: SqliteFile,
  { owner, canWrite }: { readonly owner: LedgerOwner; readonly canWrite: boolean },
): LedgerStore {
  return createStore(file, {
    owner,
    writer: canWrite ? createWriter(file, owner) : null,
    budgets: {
      count: async (work) => work(),
      read: async (work) =>
        readTogether(file, () => {
          const firstCallAt = readFirstCallAt(file)
          return work({ file, firstCallAt, countRecords: countOwnRecords })
        }),
    },
    usage: createSqliteUsage(file, { canWrite }),
    checkCalls: async () => {},
    close: async () => file.close(),
  })
}

function createWriter(file: SqliteFile, owner: LedgerOwner): Writer {
  const counter = createBudgetCounter(file)
  const writeBatch = createBatchWriter(file, { owner, counter })
  return { counter, writeBatch: async (batch) => writeBatch(batch) }
}
