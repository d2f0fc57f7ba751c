// The ledger's book and the usage in one SQLite file, so one transaction writes a batch to both.

import { WeirError } from '../../../core/weir-error.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { readFirstCallAt } from '../../usage/sqlite/first-call.ts'
import { createSqliteUsage } from '../../usage/sqlite/store.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore } from '../ledger-store.ts'
import { countOwnRecords } from './budget-count.ts'
import { createBudgetCounter } from './budget-spend.ts'
import { createStore } from './create-store.ts'
import type { Writer } from './create-store.ts'
import { adoptState } from './journal-state.ts'
import { MIGRATIONS } from './migrations.ts'
import { createBatchWriter } from './write-batch.ts'

export interface SqliteLedgerOptions {
  readonly file: string
  /** Whose cursors and open calls are read and written. */
  readonly owner?: LedgerOwner
  /** The file has no other owner: what others left in it becomes this owner's. */
  readonly isSole?: boolean
  /** For processes that only read: several may run beside the one that writes. */
  readonly readOnly?: boolean
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
  const { owner = NO_OWNER, isSole = false, readOnly = false } = options
  const connection = {
    file: options.file,
    name: 'usage store',
    migrations: MIGRATIONS,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    readOnly,
  }
  return openSqliteFile(connection, (file) => {
    requireCallsHere(file)
    if (!readOnly) {
      if (isSole) adoptState(file, owner)
      file.database.exec(SETTINGS)
    }
    return createOwnStore(file, { owner, canWrite: !readOnly })
  })
}

const SETTINGS = `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
  PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`

const COUNTED_ELSEWHERE = `SELECT last_batch -
  (SELECT COALESCE(SUM(last_batch - first_batch + 1), 0) FROM hidden_batches) AS batches
  FROM usage_state`

/** Weir once could keep the calls of a file in ClickHouse: the file then has their sums alone. */
function requireCallsHere(file: SqliteFile): void {
  const elsewhere = file.prepare<{ batches: number }>(COUNTED_ELSEWHERE).first()
  if (elsewhere === null || elsewhere.batches === 0) return
  const message = `${file.title} has the sums of calls that are in ClickHouse, which needs PostgreSQL beside it by now.`
  throw new WeirError('store_unusable', message, {
    hint: 'Go back to the Weir that wrote it, or start on another data directory.',
  })
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
    close: async () => file.close(),
  })
}

function createWriter(file: SqliteFile, owner: LedgerOwner): Writer {
  const counter = createBudgetCounter(file)
  const writeBatch = createBatchWriter(file, { owner, counter })
  return { counter, writeBatch: async (batch) => writeBatch(batch) }
}
