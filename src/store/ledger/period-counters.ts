// A page: what all watched budgets with one kind of period have spent in one such period. Pure: an
// engine reads and writes it within a transaction. Must stay true: every budget on a page has its
// count, from its row or the records, and a threshold is raised at the call that reaches it.

import type { Alert } from '../../core/alert.ts'
import { amountAt } from '../../core/budget.ts'
import type { Budget, BudgetSpan } from '../../core/budget.ts'
import { isRule } from '../../core/budgets/each-budget.ts'
import { toThresholdAlert } from '../../core/alerts/budget-alert.ts'
import type { Money } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { addCall } from './spend-figures.ts'
import type { SpendFigures } from './spend-figures.ts'

export interface Tally {
  readonly budget: Budget
  readonly figures: SpendFigures
  /** The spend at which each threshold fires, ascending. */
  readonly amounts: readonly Money[]
  /** How many thresholds the spend has reached. */
  reached: number
  /** It differs from its row, or has none yet. */
  isChanged: boolean
}

export interface PeriodCounters {
  readonly span: BudgetSpan
  readonly tallies: ReadonlyMap<string, Tally>
}

/** By the budgets' ids. */
export type FiguresById = ReadonlyMap<string, SpendFigures>

/** Every budget has a row in `stored`, was counted, or both. */
export function createPeriodCounters(
  budgets: readonly Budget[],
  { span, stored, counted }: { span: BudgetSpan; stored: FiguresById; counted: FiguresById },
): PeriodCounters {
  const tallies = new Map<string, Tally>()
  for (const budget of budgets) {
    const { id } = budget
    const figures = merge(stored.get(id), counted.get(id))
    tallies.set(id, { ...createTally(budget, figures), isChanged: counted.has(id) })
  }
  return { span, tallies }
}

/** Counts a call; the thresholds that it reaches are added to `alerts`. */
export function addToCounters(
  { span }: PeriodCounters,
  tally: Tally,
  { record, alerts }: { record: UsageRecord; alerts: Alert[] },
): void {
  const { figures, amounts } = tally
  const { event, cost } = record
  const { requestBytes, tokens, endedAt } = event
  addCall(figures, { amount: cost.amount, requestBytes, outputTokens: tokens?.output ?? 0 })
  tally.isChanged = true
  while (tally.reached < amounts.length) {
    if (figures.spent < (amounts[tally.reached] as Money)) return
    tally.reached += 1
    alerts.push(toAlert(span, tally, endedAt))
  }
}

/** An alert for every threshold reached; those that were raised before are known by their ids. */
export function listReached(
  { span }: PeriodCounters,
  tally: Tally,
  atMs: number,
): readonly Alert[] {
  return Array.from({ length: tally.reached }, (_, index) =>
    toAlert(span, { ...tally, reached: index + 1 }, atMs),
  )
}

export function listChanged({ tallies }: PeriodCounters): readonly Tally[] {
  return [...tallies.values()].filter(({ isChanged }) => isChanged)
}

function toAlert(span: BudgetSpan, { budget, figures, reached }: Tally, at: number): Alert {
  const percent = budget.thresholds[reached - 1] as number
  return toThresholdAlert(budget, { span, percent, spent: figures.spent, at })
}

/** Rollups give the spend only: figures of single calls are kept. At least one is defined. */
function merge(stored: SpendFigures | undefined, counted: SpendFigures | undefined): SpendFigures {
  if (stored === undefined || counted === undefined) return (stored ?? counted) as SpendFigures
  const { costRevision, spent, unpriced } = counted
  return counted.calls === 0 ? { ...stored, costRevision, spent, unpriced } : counted
}

function createTally(budget: Budget, figures: SpendFigures): Omit<Tally, 'isChanged'> {
  // The limit of a rule is that of each of its counters.
  const thresholds = isRule(budget) ? [] : budget.thresholds
  const amounts = thresholds.map((percent) => amountAt(budget.limit, percent))
  const reached = amounts.filter((amount) => amount <= figures.spent).length
  return { budget, figures, amounts, reached }
}
