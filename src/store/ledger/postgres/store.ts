// The ledger's progress and the usage in one PostgreSQL database, to which many nodes write at
// once. Single calls are in it, too, or in an engine of their own.

import type { PoolClient } from 'pg'
import { openPostgresDatabase } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import { createNameReader } from '../../usage/sql/name-reader.ts'
import type { NameReader } from '../../usage/sql/name-reader.ts'
import { LOCKED_ROWS_MAX, POSTGRES } from '../../usage/postgres/dialect.ts'
import { createPostgresRecords, createPostgresUsage } from '../../usage/postgres/store.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import type { BatchRecords } from '../batch-records.ts'
import type { OpenRecords, RecordBackend } from '../call-batches.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore } from '../ledger-store.ts'
import { createLedger } from '../sql/store.ts'
import { createBatchTransaction } from './batch-transaction.ts'
import { createPostgresCallBatches } from './call-batches.ts'
import { requireCallsElsewhere, requireCallsHere } from './calls-location.ts'
import { createCopiedRecords } from './copied-records.ts'
import { USAGE_SCHEMA } from './schema.ts'

export interface PostgresLedgerOptions {
  readonly url: string
  /** Whose cursors and open calls are read and written. Another owner's are never taken over. */
  readonly owner?: LedgerOwner
  /** For processes that only read. */
  readonly readOnly?: boolean
  /** Where single calls are; by default in the same database. */
  readonly openRecords?: OpenRecords
  /** Only the ledger database is read, so it does not matter where the calls are. */
  readonly isBookOnly?: boolean
}

/** The tables must be there: `weir migrate` makes them. */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<LedgerStore> {
  const { url, owner = NO_OWNER, readOnly = false, openRecords, isBookOnly = false } = options
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  const names = createNameReader(database.epoch, POSTGRES)
  const place =
    openRecords === undefined
      ? openOwnRecords(database, names)
      : openRecords(createPostgresCallBatches(database))
  const requirePlace = openRecords === undefined ? requireCallsHere : requireCallsElsewhere
  const close = async (): Promise<void> => {
    await place.close()
    await database.close()
  }
  const check = async (): Promise<void> => {
    await requireSchema(database, USAGE_SCHEMA)
    if (!isBookOnly) await requirePlace(database)
    await place.check()
  }
  try {
    await check()
  } catch (error) {
    await close()
    throw error
  }
  const { engine: records, ofBatch } = place
  const canWrite = !readOnly
  const engine = {
    database,
    dialect: POSTGRES,
    records,
    toStorable: toStorableRecord,
    mergedRowsMax: LOCKED_ROWS_MAX,
    openBatches: () => ofBatch,
    transactBatch: createBatchTransaction(database),
  }
  const usage = createPostgresUsage(database, { canWrite, records, names })
  return createLedger<PoolClient>(engine, { owner, canWrite, usage, check, close })
}

interface OwnRecords extends Omit<RecordBackend, 'ofBatch'> {
  readonly ofBatch: BatchRecords<PoolClient>
}

function openOwnRecords(database: PostgresDatabase, names: NameReader): OwnRecords {
  return {
    engine: createPostgresRecords(database, { names }),
    ofBatch: createCopiedRecords(database),
    check: async () => {},
    close: async () => {},
  }
}
