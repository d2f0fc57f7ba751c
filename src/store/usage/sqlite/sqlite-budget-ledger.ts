// The spend of budgets and their alerts on SQLite: who counts is in the files beside, here is what is asked of them.

import { spanOf } from '../../../core/budget.ts'
import type { Budget } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/sqlite-file.ts'
import type { BudgetLedger, BudgetSpend } from '../budget-ledger.ts'
import { countSpend } from './sqlite-budget-count.ts'
import { createBudgetRows, toBudgetSpend } from './sqlite-budget-rows.ts'
import type { BudgetCounter } from './sqlite-budget-spend.ts'
import type { WatchOptions } from './sqlite-budget-spend.ts'
import { createOutboxWriter, readOutbox } from './sqlite-outbox.ts'
import { readSnapshot } from './sqlite-snapshot.ts'

/** `requireCounter` throws where the store is open for reading only. */
export function createSqliteBudgets(
  file: SqliteFile,
  requireCounter: () => BudgetCounter,
): BudgetLedger {
  const rows = createBudgetRows(file)

  function readSpend(
    budgets: readonly Budget[],
    { slugOf, nowMs }: WatchOptions,
  ): readonly BudgetSpend[] {
    const found = new Map<string, BudgetSpend>()
    for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
      const span = spanOf(period, nowMs)
      const stored = rows.read(list, span)
      const missing = list.filter(({ id }) => !stored.has(id))
      const counted = countSpend(file, missing, { span, slugOf })
      for (const budget of list) {
        const figures = stored.get(budget.id) ?? counted.get(budget.id)
        if (figures !== undefined) found.set(budget.id, toBudgetSpend(budget, span, figures))
      }
    }
    return budgets.map(({ id }) => found.get(id) as BudgetSpend)
  }

  function readPreviousSpend(budgets: readonly Budget[], nowMs: number): readonly BudgetSpend[] {
    const found: BudgetSpend[] = []
    for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
      const span = spanOf(period, spanOf(period, nowMs).startMs - 1)
      const stored = rows.read(list, span)
      for (const budget of list) {
        const figures = stored.get(budget.id)
        if (figures !== undefined) found.push(toBudgetSpend(budget, span, figures))
      }
    }
    return found
  }

  return {
    watch: async (budgets, options) => requireCounter().watch(budgets, options),
    recount: async (nowMs) => requireCounter().recount(nowMs),
    readSpend: async (budgets, options) => readSnapshot(file, () => readSpend(budgets, options)),
    readPreviousSpend: async (budgets, nowMs) => readPreviousSpend(budgets, nowMs),
    async addAlerts(alerts) {
      requireCounter()
      const add = createOutboxWriter(file)
      return file.transact(() => alerts.filter(add).length)
    },
    readAlerts: async (place, rowsMax) => readOutbox(file, place, rowsMax),
  }
}
