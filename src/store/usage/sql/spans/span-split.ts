// A span of any length as whole days, which the sums have, and the days that it cuts.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { UsageQuestion } from '../../usage-store.ts'

const DAY_MS = 86_400_000
/** Of a day that is cut and the day before it: a tenth of a second's work. */
export const CUT_DAY_REQUESTS_MAX = 100_000

export interface CutDay {
  readonly part: BudgetSpan
  readonly day: BudgetSpan
}

export interface SpanSplit {
  /** The cost of its whole days; null where it has none. */
  readonly whole: UsageQuestion | null
  /** At most two. */
  readonly cuts: readonly CutDay[]
}

export function splitSpan({ startMs, endMs }: BudgetSpan): SpanSplit {
  const firstMs = toDayStart(startMs + DAY_MS - 1)
  const lastMs = toDayStart(endMs)
  if (firstMs > lastMs) return { whole: null, cuts: toCuts({ startMs, endMs }) }
  return {
    whole: firstMs === lastMs ? null : toQuestion({ startMs: firstMs, endMs: lastMs }),
    cuts: [...toCuts({ startMs, endMs: firstMs }), ...toCuts({ startMs: lastMs, endMs })],
  }
}

/** The day and the one before it, in which nearly all of its calls began. */
export function withDayBefore({ startMs, endMs }: BudgetSpan): BudgetSpan {
  return { startMs: startMs - DAY_MS, endMs }
}

function toCuts(part: BudgetSpan): readonly CutDay[] {
  if (part.startMs >= part.endMs) return []
  const startMs = toDayStart(part.startMs)
  return [{ part, day: { startMs, endMs: startMs + DAY_MS } }]
}

function toQuestion({ startMs, endMs }: BudgetSpan): UsageQuestion {
  const period = { grain: 'day', from: toDay(startMs), to: toDay(endMs - DAY_MS) } as const
  return { period, grouping: { by: 'total' }, keyId: null, isCostOnly: true }
}

function toDayStart(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS
}

function toDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
