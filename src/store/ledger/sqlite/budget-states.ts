// What budgets have spent, on SQLite. The files beside this one count it.

import { spanOf } from '../../../core/budget.ts'
import type { Budget } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { BudgetStates, BudgetSpend } from '../budget-states.ts'
import { canCount, countSpend } from './budget-count.ts'
import type { CountOptions } from '../budget-sums.ts'
import { createBudgetRows } from './budget-rows.ts'
import type { BudgetCounter } from './budget-spend.ts'
import { toBudgetSpend } from '../spend-figures.ts'
import { SPEND_KEPT_MS } from '../watched-budgets.ts'
import type { WatchOptions } from '../watched-budgets.ts'
import { prepareCostRevision } from '../../usage/sqlite/cost-changes.ts'
import { readFirstCallAt } from '../../usage/sqlite/first-call.ts'
import { readTogether } from '../../sqlite/read-together.ts'

/** `requireCounter` throws where the store is open for reading only. */
export function createSqliteBudgets(
  file: SqliteFile,
  requireCounter: () => BudgetCounter,
): BudgetStates {
  const rows = createBudgetRows(file)
  const readCostRevision = prepareCostRevision(file)

  function readSpend(
    budgets: readonly Budget[],
    { slugOf, nowMs }: WatchOptions,
  ): readonly BudgetSpend[] {
    const found = new Map<string, BudgetSpend>()
    const firstMs = readFirstCallAt(file) ?? nowMs
    for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
      const span = spanOf(period, nowMs)
      const since = { span, sinceMs: Math.max(span.startMs, firstMs) }
      const stored = rows.read(list, span)
      const missing = list.filter(({ id }) => !stored.has(id))
      const counted = countSpend(file, missing, { span, slugOf })
      for (const budget of list) {
        const figures = stored.get(budget.id) ?? counted.get(budget.id)
        if (figures !== undefined) found.set(budget.id, toBudgetSpend(budget, since, figures))
      }
    }
    return budgets.map(({ id }) => found.get(id) as BudgetSpend)
  }

  function readPeriod(budget: Budget, { slugOf, span }: CountOptions): BudgetSpend | null {
    const stored = rows.read([budget], span).get(budget.id)
    const isInDoubt = stored?.costRevision !== readCostRevision()
    const counted =
      isInDoubt && canCount(file, budget, span)
        ? countSpend(file, [budget], { span, slugOf }).get(budget.id)
        : undefined
    const figures = counted ?? stored
    const since = { span, sinceMs: span.startMs }
    return figures === undefined ? null : toBudgetSpend(budget, since, figures)
  }

  function readPreviousSpend(budgets: readonly Budget[], nowMs: number): readonly BudgetSpend[] {
    const found: BudgetSpend[] = []
    for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
      const span = spanOf(period, spanOf(period, nowMs).startMs - 1)
      const since = { span, sinceMs: span.startMs }
      const stored = rows.read(list, span)
      for (const budget of list) {
        const figures = stored.get(budget.id)
        if (figures !== undefined) found.push(toBudgetSpend(budget, since, figures))
      }
    }
    return found
  }

  return {
    watch: async (budgets, options) => requireCounter().watch(budgets, options),
    recount: async (nowMs) => requireCounter().recount(nowMs),
    async prune(budgets, nowMs) {
      requireCounter()
      file.transact(() => rows.retain(budgets, nowMs - SPEND_KEPT_MS))
    },
    readSpend: async (budgets, options) => readTogether(file, () => readSpend(budgets, options)),
    readPeriod: async (budget, options) => readTogether(file, () => readPeriod(budget, options)),
    readPreviousSpend: async (budgets, nowMs) => readPreviousSpend(budgets, nowMs),
  }
}
