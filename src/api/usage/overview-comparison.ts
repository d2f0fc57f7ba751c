// This month against the last on the first page: what /v1/analysis says with compare=previous, or,
// where single hours of last month are gone, both months by whole days.

import { spanOf } from '../../core/budget.ts'
import type { BudgetSpan } from '../../core/budget.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { AnalysisAnswer } from '../../store/usage/analysis.ts'
import { endOfHour } from '../analysis/analysis-span.ts'
import type { Span } from '../analysis/analysis-span.ts'
import { toComparedSpan } from '../analysis/compared-span.ts'
import type { Overview } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'

const DAY_MS = 86_400_000

export interface MonthPair {
  readonly nowMs: number
  readonly startMs: number
  /** Of last month. */
  readonly earlier: Span
  /** Weir's first call, where it was later than the beginning of `earlier`. */
  readonly recordedFromMs: number | null
  /** The same days of both, this month first. */
  readonly wholeDays: readonly [BudgetSpan, BudgetSpan]
}

/** Null where nothing of last month's same days is on record. */
export function toMonthPair(nowMs: number, firstCallMs: number | null): MonthPair | null {
  const { startMs } = spanOf('month', nowMs)
  const earlier = toComparedSpan({ fromMs: startMs, toMs: endOfHour(nowMs) }, nowMs)
  if (firstCallMs === null || firstCallMs >= earlier.toMs) return null
  const daysMs = Math.floor((earlier.toMs - earlier.fromMs) / DAY_MS) * DAY_MS
  const toDays = (fromMs: number): BudgetSpan => ({ startMs: fromMs, endMs: fromMs + daysMs })
  return {
    nowMs,
    startMs,
    earlier,
    recordedFromMs: firstCallMs > earlier.fromMs ? firstCallMs : null,
    wholeDays: [toDays(startMs), toDays(earlier.fromMs)],
  }
}

export interface MonthCosts {
  readonly month: Money
  /** Null where its hours are gone. */
  readonly before: AnalysisAnswer | null
  /** Of the whole days of both months. */
  readonly ofDays: readonly (Money | null)[]
}

export function toComparison(
  { nowMs, startMs, earlier, recordedFromMs, wholeDays: [days, daysBefore] }: MonthPair,
  { month, before, ofDays: [ofDays = null, ofDaysBefore = null] }: MonthCosts,
): Overview['comparison'] {
  const spans = { from: toIso(startMs), before_from: toIso(earlier.fromMs) }
  const recorded_from = toIsoOrNull(recordedFromMs)
  if (before !== null) {
    return {
      ...spans,
      to: toIso(nowMs),
      cost_usd: toAnswerUsd(month),
      before_to: toIso(before.toMs),
      before_cost_usd: toAnswerUsd(before.total.cost),
      recorded_from,
    }
  }
  if (days.startMs === days.endMs || ofDays === null || ofDaysBefore === null) return null
  return {
    ...spans,
    to: toIso(days.endMs),
    cost_usd: toAnswerUsd(ofDays),
    before_to: toIso(daysBefore.endMs),
    before_cost_usd: toAnswerUsd(ofDaysBefore),
    recorded_from,
  }
}
