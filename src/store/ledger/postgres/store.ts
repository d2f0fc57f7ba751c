// The ledger's book and the usage in one PostgreSQL database, so one transaction writes a batch to
// both. Many nodes write to it at once.

import { WeirError } from '../../../core/weir-error.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import { createPostgresUsage } from '../../usage/postgres/store.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore, UsageBatch } from '../ledger-store.ts'
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
}

/** The tables must be there: `weir migrate` makes them. */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<LedgerStore> {
  const { url, owner = NO_OWNER, readOnly = false } = options
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  try {
    await requireSchema(database, USAGE_SCHEMA)
  } catch (error) {
    await database.close()
    throw error
  }
  return createStore(database, owner, readOnly ? null : createWriter(database, owner))
}

interface Writer {
  readonly counter: PostgresBudgetCounter
  readonly cursors: CursorCheck
  readonly writeBatch: (batch: UsageBatch) => Promise<void>
}

function createWriter(database: PostgresDatabase, owner: LedgerOwner): Writer {
  const counter = createPostgresBudgetCounter(database)
  const cursors = createCursorCheck(owner)
  const writeBatch = createPostgresBatchWriter(database, { owner, budgets: counter, cursors })
  return { counter, cursors, writeBatch }
}

function createStore(
  database: PostgresDatabase,
  owner: LedgerOwner,
  writer: Writer | null,
): LedgerStore {
  function requireWriter(): Writer {
    if (writer !== null) return writer
    throw new WeirError('store_unusable', `${database.title} is open for reading only.`)
  }

  return {
    book: {
      budgets: createPostgresBudgets(database, () => requireWriter().counter),
      outbox: createPostgresOutbox(database, requireWriter),
      async readState() {
        const state = await database.readTogether((sql) => readState(sql, owner))
        writer?.cursors.learn(state.cursors)
        return state
      },
      readTallies: () => readTallies(database),
      readCounted: (objects) => readCounted(database, objects),
    },
    usage: createPostgresUsage(database, { canWrite: writer !== null }),
    writeBatch: async (batch) => requireWriter().writeBatch(batch),
    async check() {
      try {
        await requireSchema(database, USAGE_SCHEMA)
        return null
      } catch (error) {
        if (error instanceof WeirError) return error.message
        throw error
      }
    },
    close: () => database.close(),
  }
}
