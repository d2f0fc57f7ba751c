// The ledger's progress and the usage in one database, so one transaction writes a batch to both.

import { WeirError } from '../../../core/weir-error.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import type { BatchConnection } from '../batch-records.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore, UsageBatch } from '../ledger-store.ts'
import { createBudgetCounter } from './budget-counter.ts'
import type { BudgetCounter } from './budget-counter.ts'
import { createBudgets } from './budget-states.ts'
import { readCounted } from './counted.ts'
import { createCursorCheck } from './cursor-check.ts'
import type { CursorCheck } from './cursor-check.ts'
import { readState, readTallies } from './journal-state.ts'
import type { LedgerEngine } from './ledger-engine.ts'
import { createOutbox } from './outbox.ts'
import { createBatchWriter } from './write-batch.ts'

export interface LedgerParts {
  readonly owner: LedgerOwner
  readonly canWrite: boolean
  readonly usage: UsageStore
  /** Fails with what is wrong. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Writer {
  readonly counter: BudgetCounter
  readonly cursors: CursorCheck
  readonly writeBatch: (batch: UsageBatch) => Promise<void>
}

export function createLedger<Connection extends BatchConnection>(
  engine: LedgerEngine<Connection>,
  { owner, canWrite, usage, check, close }: LedgerParts,
): LedgerStore {
  const { database, records, dialect } = engine
  const writer = canWrite ? createWriter(engine, owner) : null
  function requireWriter(): Writer {
    if (writer !== null) return writer
    throw new WeirError('store_unusable', `${database.title} is open for reading only.`)
  }

  return {
    progress: {
      budgets: createBudgets(database, {
        records,
        dialect,
        counter: writer?.counter ?? null,
        requireCounter: () => requireWriter().counter,
      }),
      outbox: createOutbox(database, requireWriter),
      async readState() {
        const state = await database.readSnapshot((sql) => readState(sql, owner))
        writer?.cursors.learn(state.cursors)
        return state
      },
      readTallies: () => readTallies(database),
      readCounted: (objects) => readCounted(database, objects),
    },
    usage,
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

function createWriter<Connection extends BatchConnection>(
  engine: LedgerEngine<Connection>,
  owner: LedgerOwner,
): Writer {
  const { database, records, dialect } = engine
  const counter = createBudgetCounter(database, { records, dialect })
  const cursors = createCursorCheck(owner)
  const writeBatch = createBatchWriter(engine, { owner, budgets: counter, cursors })
  return { counter, cursors, writeBatch }
}
