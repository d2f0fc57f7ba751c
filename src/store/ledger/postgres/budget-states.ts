// What budgets have spent, on PostgreSQL. The files beside this one count it.

import { spanOf } from '../../../core/budget.ts'
import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { readCostRevision } from '../../usage/postgres/cost-revision.ts'
import { readFirstCallAt } from '../../usage/postgres/first-call.ts'
import type { RecordReader } from '../../usage/record-reader.ts'
import type { BudgetSpend, BudgetStates } from '../budget-states.ts'
import type { CountOptions } from '../budget-sums.ts'
import { toBudgetSpend } from '../spend-figures.ts'
import { SPEND_KEPT_MS } from '../watched-budgets.ts'
import type { WatchOptions } from '../watched-budgets.ts'
import { canCount, countSpend } from './budget-count.ts'
import type { PostgresBudgetCounter } from './budget-counter.ts'
import { readSpendRows, toSpendPruning } from './budget-rows.ts'

export interface BudgetsOptions {
  readonly records: RecordReader
  /** Throws where the store is open for reading only. */
  readonly requireCounter: () => PostgresBudgetCounter
}

export function createPostgresBudgets(
  database: SqlDatabase,
  { records, requireCounter }: BudgetsOptions,
): BudgetStates {
  return {
    watch: async (budgets, options) => requireCounter().watch(budgets, options),
    recount: async (nowMs) => requireCounter().recount(nowMs),
    async prune(budgets, nowMs) {
      requireCounter()
      const { text, values } = toSpendPruning(budgets, nowMs - SPEND_KEPT_MS)
      await database.transact((sql) => sql.run(text, values))
    },
    readSpend: (budgets, options) =>
      database.readTogether((sql) => readSpend(sql, budgets, { ...options, records })),
    readPeriod: (budget, options) =>
      database.readTogether((sql) => readPeriod(sql, budget, { ...options, records })),
    readPreviousSpend: (budgets, nowMs) =>
      database.readTogether((sql) => readPreviousSpend(sql, budgets, nowMs)),
  }
}

async function readSpend(
  sql: Sql,
  budgets: readonly Budget[],
  { slugOf, nowMs, records }: WatchOptions & { readonly records: RecordReader },
): Promise<readonly BudgetSpend[]> {
  const found = new Map<string, BudgetSpend>()
  const firstMs = (await readFirstCallAt(sql, records)) ?? nowMs
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, nowMs)
    const since = { span, sinceMs: Math.max(span.startMs, firstMs) }
    const stored = (await readSpendRows(sql, [span]))(list, span)
    const missing = list.filter(({ id }) => !stored.has(id))
    const counted = await countSpend(sql, missing, { span, slugOf, records })
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
  { slugOf, span, records }: CountOptions & { readonly records: RecordReader },
): Promise<BudgetSpend | null> {
  const stored = await readStored(sql, budget, span)
  const isInDoubt = stored?.costRevision !== (await readCostRevision(sql))
  const counted =
    isInDoubt && (await canCount(sql, budget, span))
      ? (await countSpend(sql, [budget], { span, slugOf, records })).get(budget.id)
      : undefined
  const figures = counted ?? stored
  const since = { span, sinceMs: span.startMs }
  return figures === undefined ? null : toBudgetSpend(budget, since, figures)
}

async function readStored(sql: Sql, budget: Budget, span: BudgetSpan) {
  return (await readSpendRows(sql, [span]))([budget], span).get(budget.id)
}

async function readPreviousSpend(
  sql: Sql,
  budgets: readonly Budget[],
  nowMs: number,
): Promise<readonly BudgetSpend[]> {
  const found: BudgetSpend[] = []
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, spanOf(period, nowMs).startMs - 1)
    const since = { span, sinceMs: span.startMs }
    const stored = (await readSpendRows(sql, [span]))(list, span)
    for (const budget of list) {
      const figures = stored.get(budget.id)
      if (figures !== undefined) found.push(toBudgetSpend(budget, since, figures))
    }
  }
  return found
}
