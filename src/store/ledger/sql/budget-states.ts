// What budgets have spent. The files beside this one count it.

import { spanOf } from '../../../core/budget.ts'
import type { Budget } from '../../../core/budget.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { readCostRevision } from '../../usage/sql/cost-revision.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import { readFirstCallAt } from '../../usage/sql/first-call.ts'
import type { BudgetSpend, BudgetStates } from '../budget-states.ts'
import type { CountOptions } from '../budget-sums.ts'
import { toBudgetSpend } from '../spend-figures.ts'
import { SPEND_KEPT_MS } from '../watched-budgets.ts'
import type { WatchOptions } from '../watched-budgets.ts'
import { canCount, countSpend } from './budget-count.ts'
import type { CountSource } from './budget-count.ts'
import type { BudgetCounter } from './budget-counter.ts'
import { pruneSpendRows, readSpendRows } from './budget-rows.ts'

export interface BudgetsOptions extends CountSource {
  /** Throws where the store is open for reading only. */
  readonly requireCounter: () => BudgetCounter
}

export function createBudgets(
  database: SqlDatabase,
  { requireCounter, ...place }: BudgetsOptions,
): BudgetStates {
  const { dialect } = place
  return {
    watch: async (budgets, options) => requireCounter().watch(budgets, options),
    recount: async (nowMs) => requireCounter().recount(nowMs),
    async prune(budgets, nowMs) {
      requireCounter()
      const kept = { budgets, sinceMs: nowMs - SPEND_KEPT_MS }
      await database.transact((sql) => pruneSpendRows(sql, kept, dialect))
    },
    readSpend: (budgets, options) =>
      database.readSnapshot((sql) => readSpend(sql, budgets, { ...options, ...place })),
    readPeriod: (budget, options) =>
      database.readSnapshot((sql) => readPeriod(sql, budget, { ...options, ...place })),
    readPreviousSpend: (budgets, nowMs) =>
      database.readSnapshot((sql) => readPreviousSpend(sql, budgets, { nowMs, dialect })),
  }
}

async function readSpend(
  sql: Sql,
  budgets: readonly Budget[],
  { slugOf, nowMs, records, dialect }: WatchOptions & CountSource,
): Promise<readonly BudgetSpend[]> {
  const found = new Map<string, BudgetSpend>()
  const firstMs = (await readFirstCallAt(sql, records)) ?? nowMs
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, nowMs)
    const since = { span, sinceMs: Math.max(span.startMs, firstMs) }
    const stored = (await readSpendRows(sql, [span], dialect))(list, span)
    const missing = list.filter(({ id }) => !stored.has(id))
    const counted = await countSpend(sql, missing, { span, slugOf, records, dialect })
    for (const budget of list) {
      const figures = stored.get(budget.id) ?? counted.get(budget.id)
      if (figures !== undefined) found.set(budget.id, toBudgetSpend(budget, since, figures))
    }
  }
  return budgets.map(({ id }) => found.get(id) as BudgetSpend)
}

async function readPeriod(
  sql: Sql,
  budget: Budget,
  { slugOf, span, records, dialect }: CountOptions & CountSource,
): Promise<BudgetSpend | null> {
  const stored = (await readSpendRows(sql, [span], dialect))([budget], span).get(budget.id)
  const isInDoubt = stored?.costRevision !== (await readCostRevision(sql))
  const counted =
    isInDoubt && (await canCount(sql, budget, span))
      ? (await countSpend(sql, [budget], { span, slugOf, records, dialect })).get(budget.id)
      : undefined
  const figures = counted ?? stored
  const since = { span, sinceMs: span.startMs }
  return figures === undefined ? null : toBudgetSpend(budget, since, figures)
}

async function readPreviousSpend(
  sql: Sql,
  budgets: readonly Budget[],
  { nowMs, dialect }: { readonly nowMs: number; readonly dialect: Dialect },
): Promise<readonly BudgetSpend[]> {
  const found: BudgetSpend[] = []
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, spanOf(period, nowMs).startMs - 1)
    const since = { span, sinceMs: span.startMs }
    const stored = (await readSpendRows(sql, [span], dialect))(list, span)
    for (const budget of list) {
      const figures = stored.get(budget.id)
      if (figures !== undefined) found.push(toBudgetSpend(budget, since, figures))
    }
  }
  return found
}
