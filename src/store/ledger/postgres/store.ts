// The ledger's book and the usage in one PostgreSQL database, so one transaction writes a batch to
// both. Many nodes write to it at once.

import type { PoolClient } from 'pg'
import { WeirError } from '../../../core/weir-error.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import { createNameReader } from '../../usage/postgres/name-reader.ts'
import type { NameReader } from '../../usage/postgres/name-reader.ts'
import { createPostgresRecords } from '../../usage/postgres/records.ts'
import { createPostgresUsage } from '../../usage/postgres/store.ts'
import type { BatchRecords } from '../batch-records.ts'
import type { OpenRecords, RecordPlace } from '../calls-book.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore, UsageBatch } from '../ledger-store.ts'
import { createPostgresCallsBook } from './calls-book.ts'
import { requireCallsElsewhere, requireCallsHere } from './calls-place.ts'
import { createCopiedRecords } from './copied-records.ts'
import { createBatchSummer } from './batch-sums.ts'
import { createPostgresBudgetCounter } from './budget-counter.ts'
import type { PostgresBudgetCounter } from './budget-counter.ts'
import { createPostgresBudgets } from './budget-states.ts'
import { readCounted } from './counted.ts'
import { createCursorCheck } from './cursor-check.ts'
import type { CursorCheck } from './cursor-check.ts'
import { readState, readTallies } from './journal-state.ts'
import { createPostgresOutbox } from './outbox.ts'
import { USAGE_SCHEMA } from './schema.ts'
import { createPostgresBatchWriter } from './write-batch.ts'

export interface PostgresLedgerOptions {
  readonly url: string
  /** Whose cursors and open calls are read and written. Another owner's are never taken over. */
  readonly owner?: LedgerOwner
  /** For processes that only read. */
  readonly readOnly?: boolean
  /** Where single calls are; by default in the same database. */
  readonly openRecords?: OpenRecords
  /** Only the book is read, so it does not matter where the calls are. */
  readonly isBookOnly?: boolean
}

/** The tables must be there: `weir migrate` makes them. */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<LedgerStore> {
  const { url, owner = NO_OWNER, readOnly = false, openRecords, isBookOnly = false } = options
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  const names = createNameReader(database.epoch)
  const records =
    openRecords === undefined
      ? openOwnRecords(database, names)
      : openRecords(createPostgresCallsBook(database))
  const requirePlace = openRecords === undefined ? requireCallsHere : requireCallsElsewhere
  const close = async (): Promise<void> => {
    await records.close()
    await database.close()
  }
  const check = async (): Promise<void> => {
    await requireSchema(database, USAGE_SCHEMA)
    if (!isBookOnly) await requirePlace(database)
    await records.check()
  }
  try {
    await check()
  } catch (error) {
    await close()
    throw error
  }
  const writer = readOnly ? null : createWriter(database, { owner, records })
  return createStore(database, { owner, writer, records, names, check, close })
}

interface Place extends Omit<RecordPlace, 'ofBatch'> {
  readonly ofBatch: BatchRecords<PoolClient>
}

function openOwnRecords(database: PostgresDatabase, names: NameReader): Place {
  return {
    engine: createPostgresRecords(database, { names }),
    ofBatch: createCopiedRecords(database),
    check: async () => {},
    close: async () => {},
  }
}

interface Writer {
  readonly counter: PostgresBudgetCounter
  readonly cursors: CursorCheck
  readonly writeBatch: (batch: UsageBatch) => Promise<void>
}

function createWriter(
  database: PostgresDatabase,
  { owner, records }: { readonly owner: LedgerOwner; readonly records: Place },
): Writer {
  const counter = createPostgresBudgetCounter(database, records.engine)
  const cursors = createCursorCheck(owner)
  const writeBatch = createPostgresBatchWriter(database, {
    owner,
    records: records.ofBatch,
    summer: createBatchSummer(database, records.engine),
    budgets: counter,
    cursors,
  })
  return { counter, cursors, writeBatch }
}

interface StoreOptions {
  readonly owner: LedgerOwner
  readonly writer: Writer | null
  readonly records: Place
  readonly names: NameReader
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

function createStore(
  database: PostgresDatabase,
  { owner, writer, records: { engine: records }, names, check, close }: StoreOptions,
): LedgerStore {
  function requireWriter(): Writer {
    if (writer !== null) return writer
    throw new WeirError('store_unusable', `${database.title} is open for reading only.`)
  }

  return {
    book: {
      budgets: createPostgresBudgets(database, {
        records,
        requireCounter: () => requireWriter().counter,
      }),
      outbox: createPostgresOutbox(database, requireWriter),
      async readState() {
        const state = await database.readTogether((sql) => readState(sql, owner))
        writer?.cursors.learn(state.cursors)
        return state
      },
      readTallies: () => readTallies(database),
      readCounted: (objects) => readCounted(database, objects),
    },
    usage: createPostgresUsage(database, { canWrite: writer !== null, records, names }),
    writeBatch: async (batch) => requireWriter().writeBatch(batch),
    async check() {
      try {
        await check()
        return null
      } catch (error) {
        if (error instanceof WeirError) return error.message
        throw error
      }
    },
    close,
  }
}
