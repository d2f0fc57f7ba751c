// A ledger store on SQLite, whose book is the same wherever single calls are kept.

import { WeirError } from '../../../core/weir-error.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore, UsageBatch } from '../ledger-store.ts'
import type { BudgetCounter } from './budget-spend.ts'
import { createSqliteBudgets } from './budget-states.ts'
import type { BudgetsOptions } from './budget-states.ts'
import { readCounted } from './counted.ts'
import { readState, readTallies } from './journal-state.ts'
import { createSqliteOutbox } from './outbox.ts'

export interface Writer {
  readonly counter: BudgetCounter
  readonly writeBatch: (batch: UsageBatch) => Promise<void>
}

export interface StoreParts {
  readonly owner: LedgerOwner
  /** Null where the store is open for reading only. */
  readonly writer: Writer | null
  readonly budgets: Omit<BudgetsOptions, 'requireCounter'>
  readonly usage: UsageStore
  readonly close: () => Promise<void>
}

export function createStore(file: SqliteFile, parts: StoreParts): LedgerStore {
  const { owner, writer, budgets, usage, close } = parts
  function requireWriter(): Writer {
    if (writer !== null) return writer
    throw new WeirError('store_unusable', `${file.title} is open for reading only.`)
  }

  return {
    book: {
      budgets: createSqliteBudgets(file, {
        ...budgets,
        requireCounter: () => requireWriter().counter,
      }),
      outbox: createSqliteOutbox(file, requireWriter),
      readState: async () => readState(file, owner),
      readTallies: async () => readTallies(file),
      readCounted: async (objects) => readCounted(file.database, objects),
    },
    usage,
    writeBatch: async (batch) => requireWriter().writeBatch(batch),
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
    close,
  }
}
