// What a budget spent in a period, as figures in memory and as a row of any engine. Must stay true:
// a row is valid only for the scope and period it was counted by, and says which costs it used.

import type { Budget, BudgetSpan } from '../../core/budget.ts'
import { formatScope } from '../../core/budget-scope.ts'
import { divideHalfEven } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { BudgetSpend } from './budget-states.ts'
import { CALL_TOKENS_MAX } from '../usage/rollup.ts'

export interface SpendFigures {
  /** The revision of the costs it was counted with. */
  readonly costRevision: string
  spent: Money
  unpriced: number
  /** Charged calls seen one by one. Those known only from rollups are in no figure below. */
  calls: number
  callsCost: Money
  requestBytes: number
  outputTokens: number
  largest: Money
}

export interface CountedCall {
  readonly amount: Money | null
  readonly requestBytes: number
  readonly outputTokens: number
}

export function createSpendFigures(costRevision: string): SpendFigures {
  return {
    costRevision,
    spent: 0n,
    unpriced: 0,
    calls: 0,
    callsCost: 0n,
    requestBytes: 0,
    outputTokens: 0,
    largest: 0n,
  }
}

export function addCall(figures: SpendFigures, call: CountedCall): void {
  const { amount, requestBytes, outputTokens } = call
  if (amount === null) {
    figures.unpriced += 1
    return
  }
  figures.spent += amount
  if (amount <= 0n) return
  figures.calls += 1
  figures.callsCost += amount
  figures.requestBytes = addSafely(figures.requestBytes, requestBytes)
  // A larger count is a provider's error, as in the rollups.
  if (outputTokens <= CALL_TOKENS_MAX) {
    figures.outputTokens = addSafely(figures.outputTokens, outputTokens)
  }
  if (amount > figures.largest) figures.largest = amount
}

/** Of calls that an engine has added up. */
export function addSum(figures: SpendFigures, sum: Omit<SpendFigures, 'costRevision'>): void {
  figures.spent += sum.spent
  figures.unpriced += sum.unpriced
  figures.calls += sum.calls
  figures.callsCost += sum.callsCost
  figures.requestBytes = addSafely(figures.requestBytes, sum.requestBytes)
  figures.outputTokens = addSafely(figures.outputTokens, sum.outputTokens)
  if (sum.largest > figures.largest) figures.largest = sum.largest
}

/** What was added to the first, where nothing but calls came to it since. */
export function subtractFigures(later: SpendFigures, earlier: SpendFigures): SpendFigures {
  return {
    costRevision: later.costRevision,
    spent: later.spent - earlier.spent,
    unpriced: later.unpriced - earlier.unpriced,
    calls: later.calls - earlier.calls,
    callsCost: later.callsCost - earlier.callsCost,
    requestBytes: later.requestBytes - earlier.requestBytes,
    outputTokens: later.outputTokens - earlier.outputTokens,
    largest: later.largest > earlier.largest ? later.largest : 0n,
  }
}

/** Stops growing at 2^53, the largest exact number here: the figures are only for estimates. */
function addSafely(sum: number, more: number): number {
  return Math.min(sum + Math.max(0, more), Number.MAX_SAFE_INTEGER)
}

/** Scales calls and sizes up to the whole spend, so that averages stay those of the calls seen. */
export function toBudgetSpend(
  budget: Budget,
  { span, sinceMs }: Pick<BudgetSpend, 'span' | 'sinceMs'>,
  figures: SpendFigures,
): BudgetSpend {
  const { spent, unpriced, calls, callsCost, requestBytes, outputTokens, largest } = figures
  const scale = (count: number): number => {
    if (spent === callsCost) return count
    if (spent <= 0n || callsCost <= 0n) return 0
    return Number(divideHalfEven(BigInt(count) * spent, callsCost))
  }
  return {
    budgetId: budget.id,
    span,
    sinceMs,
    spent,
    calls: scale(calls),
    requestBytes: scale(requestBytes),
    outputTokens: scale(outputTokens),
    largest,
    unpriced,
  }
}

const MONEY = ['spent', 'calls_cost', 'largest'] as const
const COUNTS = ['unpriced', 'calls', 'request_bytes', 'output_tokens'] as const

/** Those of a row that are numbers. */
export const COUNT_COLUMNS: ReadonlySet<string> = new Set([...COUNTS, 'counted_at'])

/** Money as digits. */
export interface SpendRow
  extends
    Readonly<Record<(typeof MONEY)[number], string>>,
    Readonly<Record<(typeof COUNTS)[number], number>> {
  readonly budget: string
  readonly basis: string
  readonly cost_revision: string
}

/** In the order of toSpendValues. */
export const SPEND_COLUMNS = [
  ...(['period_start', 'budget', 'basis', 'cost_revision'] as const),
  ...MONEY,
  ...COUNTS,
]

export function toSpendValues(
  budget: Budget,
  { startMs }: BudgetSpan,
  figures: SpendFigures,
): (string | number)[] {
  const { costRevision, spent, callsCost, largest, ...counts } = figures
  const money = [String(spent), String(callsCost), String(largest)]
  const { unpriced, calls, requestBytes, outputTokens } = counts
  const sizes = [unpriced, calls, requestBytes, outputTokens]
  return [startMs, budget.id, basisOf(budget), costRevision, ...money, ...sizes]
}

/** Null for a row that is not valid for the budget any more. */
export function fromSpendRow(row: SpendRow, budget: Budget): SpendFigures | null {
  return row.basis === basisOf(budget) ? fromRow(row) : null
}

/** What a count depends on. A counter is as valid as its rule, with which it is counted. */
export function basisOf({ scope, period, each, member }: Budget): string {
  if (member !== undefined) return ''
  const basis = `${period} ${formatScope(scope)}`
  return each === 'none' ? basis : `${basis} each ${each}`
}

function fromRow(row: SpendRow): SpendFigures {
  return {
    costRevision: row.cost_revision,
    unpriced: row.unpriced,
    calls: row.calls,
    requestBytes: row.request_bytes,
    outputTokens: row.output_tokens,
    spent: BigInt(row.spent),
    callsCost: BigInt(row.calls_cost),
    largest: BigInt(row.largest),
  }
}
