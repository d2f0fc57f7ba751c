// What a whole period is expected to cost. Days have no forecast, since no one could act on it in
// time, nor have the first two days of a period or of the record, which say too little.

import type { BudgetSpan } from './budget.ts'
import { divideHalfEven } from './money.ts'
import type { Money } from './money.ts'

export interface SpendSoFar {
  readonly spent: Money
  readonly span: BudgetSpan
  /** Since when calls are recorded; at the start of the span or after it. */
  readonly sinceMs: number
  readonly nowMs: number
}

const DAY_MS = 86_400_000
const ELAPSED_MS_MIN = 2 * DAY_MS

/** Assumes that the rest continues like what is recorded. Null where there is no forecast. */
export function forecastSpend({ spent, span, sinceMs, nowMs }: SpendSoFar): Money | null {
  if (span.endMs - span.startMs <= DAY_MS) return null
  if (nowMs >= span.endMs) return spent
  const fromMs = Math.max(sinceMs, span.startMs)
  const elapsedMs = nowMs - fromMs
  if (elapsedMs < ELAPSED_MS_MIN) return null
  return divideHalfEven(spent * BigInt(span.endMs - fromMs), BigInt(elapsedMs))
}
