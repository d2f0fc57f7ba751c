// This month against the last, over spans of equal length. Must stay true: both begin at the same
// place of their month, at Weir's first call where that was last month, and both end at the same.

import { spanOf } from '../../core/budget.ts'
import type { BudgetSpan } from '../../core/budget.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { Overview } from '../contract.ts'

const DAY_MS = 86_400_000

interface SpanPair {
  readonly now: BudgetSpan
  readonly before: BudgetSpan
}

/** The best first: to the millisecond, then by whole days. None where nothing can be compared. */
export function listPairs(nowMs: number, firstCallMs: number | null): readonly SpanPair[] {
  if (firstCallMs === null) return []
  const month = spanOf('month', nowMs)
  const before = spanOf('month', month.startMs - 1)
  const startMs = Math.max(0, firstCallMs - before.startMs)
  const endMs = Math.min(nowMs - month.startMs, before.endMs - before.startMs)
  const days = { startMs: roundDays(startMs, Math.ceil), endMs: roundDays(endMs, Math.floor) }
  const shift = (span: BudgetSpan, byMs: number): BudgetSpan => {
    return { startMs: span.startMs + byMs, endMs: span.endMs + byMs }
  }
  return [{ startMs, endMs }, days]
    .filter((span) => span.startMs < span.endMs)
    .map((span) => ({ now: shift(span, month.startMs), before: shift(span, before.startMs) }))
}

/** `costs` are those of each pair's two spans, in order. Null where no pair is known. */
export function toComparison(
  pairs: readonly SpanPair[],
  costs: readonly (Money | null)[],
): Overview['comparison'] {
  for (const [index, { now, before }] of pairs.entries()) {
    const [cost, costBefore] = costs.slice(2 * index)
    if (typeof cost !== 'bigint' || typeof costBefore !== 'bigint') continue
    return {
      from: new Date(now.startMs).toISOString(),
      to: new Date(now.endMs).toISOString(),
      cost_usd: toAnswerUsd(cost),
      before_from: new Date(before.startMs).toISOString(),
      before_to: new Date(before.endMs).toISOString(),
      before_cost_usd: toAnswerUsd(costBefore),
    }
  }
  return null
}

function roundDays(ms: number, round: (days: number) => number): number {
  return round(ms / DAY_MS) * DAY_MS
}
