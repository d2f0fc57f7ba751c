// The ledger's progress and the usage in one SQLite file, which is one node's.

import { createSqliteDatabase } from '../../sqlite/database.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { runChange } from '../../sql/sql.ts'
import { ROWS_MERGED_MAX } from '../../usage/block-tiers.ts'
import { createNameReader } from '../../usage/sql/name-reader.ts'
import { createRecords } from '../../usage/sql/records.ts'
import { SQLITE } from '../../usage/sqlite/dialect.ts'
import { createSqliteUsage } from '../../usage/sqlite/store.ts'
import type { BatchConnection } from '../batch-records.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore } from '../ledger-store.ts'
import type { LedgerEngine } from '../sql/ledger-engine.ts'
import { createLedger } from '../sql/store.ts'
import { adoptState } from './adopt-state.ts'
import { createInsertedRecords } from './inserted-records.ts'
import { SQLITE_LEDGER } from './schema.ts'

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
const CACHE_KIB = 16_384
const WAL_PAGES = 16_384
// During a long read (a backup, a rebuild) there is no checkpoint and the log grows. What exceeds
// this size is given back to the disk afterwards.
const WAL_BYTES_KEPT = 134_217_728

const SETTINGS = `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
  PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`

export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<LedgerStore> {
  const { owner = NO_OWNER, isSole = false, readOnly = false } = options
  const connection = {
    file: options.file,
    name: 'usage store',
    ...SQLITE_LEDGER,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    readOnly,
  }
  return openSqliteFile(connection, (file) => {
    if (!readOnly) {
      if (isSole) adoptState(file, owner)
      file.database.exec(SETTINGS)
    }
    const canWrite = !readOnly
    // Whoever reads does not wait for a batch that is being written, and no batch for a reader.
    const database = createSqliteDatabase(file, canWrite ? file.openReader() : file)
    const names = createNameReader(database.epoch, SQLITE)
    const records = createRecords(database, { dialect: SQLITE, names })
    return createLedger(createEngine(file, { database, records }), {
      owner,
      canWrite,
      usage: createSqliteUsage(file, { database, canWrite, records, names }),
      async check() {
        file.requireCurrent()
        await database.first('SELECT COUNT(*) AS cursors FROM cursors')
      },
      close: () => database.close(),
    })
  })
}

/** A transaction has begun by then. */
const WITHIN: BatchConnection = { query: async () => {} }

function createEngine(
  file: SqliteFile,
  { database, records }: Pick<LedgerEngine, 'database' | 'records'>,
): LedgerEngine {
  return {
    database,
    dialect: SQLITE,
    records,
    toStorable: (record) => record,
    mergedRowsMax: ROWS_MERGED_MAX,
    openBatches: (idOf) => createInsertedRecords(file, { sql: database, idOf }),
    transactBatch: (sent, work) =>
      database.transact(async (sql) => {
        await sent.begin(WITHIN, '')
        const changes = await work.change(sql, await work.read(sql))
        for (const change of changes) await runChange(sql, change)
      }),
  }
}
