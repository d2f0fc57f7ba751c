// The ledger's book and the usage in one SQLite file, so one transaction writes a batch to both.

import { WeirError } from '../../../core/weir-error.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { createSqliteUsage } from '../../usage/sqlite/store.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore, UsageBatch } from '../ledger-store.ts'
import { createBudgetCounter } from './budget-spend.ts'
import type { BudgetCounter } from './budget-spend.ts'
import { createSqliteBudgets } from './budget-states.ts'
import { readCounted } from './counted.ts'
import { adoptState, readState, readTallies } from './journal-state.ts'
import { MIGRATIONS } from './migrations.ts'
import { createSqliteOutbox } from './outbox.ts'
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

export function openSqliteLedger(options: SqliteLedgerOptions): Promise<LedgerStore> {
  const fixed = { name: 'usage store', migrations: MIGRATIONS, busyTimeoutMs: BUSY_TIMEOUT_MS }
  const { owner = NO_OWNER, isSole = false, readOnly = false, file: path } = options
  return openSqliteFile({ file: path, readOnly, ...fixed }, (file) => {
    if (readOnly) return createStore(file, owner, null)
    if (isSole) adoptState(file, owner)
    return createStore(file, owner, createWriter(file, owner))
  })
}

interface Writer {
  readonly counter: BudgetCounter
  readonly writeBatch: (batch: UsageBatch) => void
}

function createWriter(file: SqliteFile, owner: LedgerOwner): Writer {
  file.database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
    PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`)
  const counter = createBudgetCounter(file)
  return { counter, writeBatch: createBatchWriter(file, { owner, counter }) }
}

function createStore(file: SqliteFile, owner: LedgerOwner, writer: Writer | null): LedgerStore {
  function requireWriter(): Writer {
    if (writer !== null) return writer
    throw new WeirError('store_unusable', `${file.title} is open for reading only.`)
  }

  return {
    book: {
      budgets: createSqliteBudgets(file, () => requireWriter().counter),
      outbox: createSqliteOutbox(file, requireWriter),
      readState: async () => readState(file, owner),
      readTallies: async () => readTallies(file, owner),
      readCounted: async (objects) => readCounted(file.database, objects),
    },
    usage: createSqliteUsage(file, { canWrite: writer !== null }),
    async writeBatch(batch) {
      requireWriter().writeBatch(batch)
    },
    async check() {
      try {
        file.requireCurrent()
        file.prepare('SELECT COUNT(*) FROM cursors').first()
        return null
      } catch (error) {
        if (error instanceof WeirError) return error.message
        throw error
      }
    },
    async close() {
      file.close()
    },
  }
}
