// What a whole period is expected to cost. Days have no forecast, since no one could act on it in
// time, nor have the first two days of a period, which say too little.

import type { BudgetSpan } from './budget.ts'
import { divideHalfEven } from './money.ts'
import type { Money } from './money.ts'

export interface SpendSoFar {
  readonly spent: Money
  readonly span: BudgetSpan
  readonly nowMs: number
}

const DAY_MS = 86_400_000
const ELAPSED_MS_MIN = 2 * DAY_MS

/** Assumes that the rest continues like the past. Null where there is no forecast. */
export function forecastSpend({ spent, span, nowMs }: SpendSoFar): Money | null {
  const wholeMs = span.endMs - span.startMs
  const elapsedMs = Math.min(nowMs - span.startMs, wholeMs)
  if (wholeMs <= DAY_MS || elapsedMs < ELAPSED_MS_MIN) return null
  return divideHalfEven(spent * BigInt(wholeMs), BigInt(elapsedMs))
}
