// What budgets have spent, on SQLite. The files beside this one count it.

import { spanOf } from '../../../core/budget.ts'
import type { Budget } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { BudgetStates, BudgetSpend } from '../budget-states.ts'
import { canCount, countSpend } from './budget-count.ts'
import type { CountRecords } from './budget-count.ts'
import type { CountOptions } from '../budget-sums.ts'
import { createBudgetRows } from './budget-rows.ts'
import type { BudgetCounter } from './budget-spend.ts'
import { toBudgetSpend } from '../spend-figures.ts'
import { SPEND_KEPT_MS } from '../watched-budgets.ts'
import type { WatchOptions } from '../watched-budgets.ts'
import { prepareCostRevision } from '../../usage/sqlite/cost-changes.ts'

export interface BudgetsOptions {
  /** Throws where the store is open for reading only. */
  readonly requireCounter: () => BudgetCounter
  /** Runs what counts budgets, which may have to wait for records that are elsewhere. */
  readonly count: <Result>(work: () => Result) => Promise<Result>
  /** Reads of one moment. */
  readonly read: <Result>(work: (reading: BudgetReading) => Result) => Promise<Result>
}

/** What is read in one moment of the file. */
export interface BudgetReading {
  readonly file: SqliteFile
  readonly firstCallAt: number | null
  readonly countRecords: CountRecords
}

export function createSqliteBudgets(
  file: SqliteFile,
  { requireCounter, count, read }: BudgetsOptions,
): BudgetStates {
  const rows = createBudgetRows(file)

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
    watch: async (budgets, options) => count(() => requireCounter().watch(budgets, options)),
    recount: async (nowMs) => count(() => requireCounter().recount(nowMs)),
    async prune(budgets, nowMs) {
      requireCounter()
      file.transact(() => rows.retain(budgets, nowMs - SPEND_KEPT_MS))
    },
    readSpend: (budgets, options) => read((reading) => readSpend(reading, budgets, options)),
    readPeriod: (budget, options) => read((reading) => readPeriod(reading, budget, options)),
    readPreviousSpend: async (budgets, nowMs) => readPreviousSpend(budgets, nowMs),
  }
}

function readSpend(
  { file, firstCallAt, countRecords }: BudgetReading,
  budgets: readonly Budget[],
  { slugOf, nowMs }: WatchOptions,
): readonly BudgetSpend[] {
  const rows = createBudgetRows(file)
  const found = new Map<string, BudgetSpend>()
  for (const [period, list] of Map.groupBy(budgets, (budget) => budget.period)) {
    const span = spanOf(period, nowMs)
    const since = { span, sinceMs: Math.max(span.startMs, firstCallAt ?? nowMs) }
    const stored = rows.read(list, span)
    const missing = list.filter(({ id }) => !stored.has(id))
    const counted = countSpend(file, missing, { span, slugOf, countRecords })
    for (const budget of list) {
      const figures = stored.get(budget.id) ?? counted.get(budget.id)
      if (figures !== undefined) found.set(budget.id, toBudgetSpend(budget, since, figures))
    }
  }
  return budgets.map(({ id }) => found.get(id) as BudgetSpend)
}

function readPeriod(
  { file, countRecords }: BudgetReading,
  budget: Budget,
  { slugOf, span }: CountOptions,
): BudgetSpend | null {
  const stored = createBudgetRows(file).read([budget], span).get(budget.id)
  const isInDoubt = stored?.costRevision !== prepareCostRevision(file)()
  const counted =
    isInDoubt && canCount(file, budget, span)
      ? countSpend(file, [budget], { span, slugOf, countRecords }).get(budget.id)
      : undefined
  const figures = counted ?? stored
  const since = { span, sinceMs: span.startMs }
  return figures === undefined ? null : toBudgetSpend(budget, since, figures)
}
