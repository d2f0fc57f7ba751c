// How a cap is shown inside a tool: the part of it that is used, and the words and steps that the
// tool knows. Must stay true: below 1 while calls are let in.

import type { BudgetPeriod } from '../budget.ts'
import type { Money } from '../money.ts'

export const SHOWN_PERIODS: Readonly<Record<BudgetPeriod, 'daily' | 'weekly' | 'monthly'>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
}

/** In hundredths: 99 at most while there is something left, 100 once there is not. */
export function percentOf(used: Money, limit: Money): number {
  if (used >= limit) return 100
  return used <= 0n ? 0 : Number((used * 100n) / limit)
}

/** The step that was passed last, as a part of 1. */
export function surpassed(percent: number): '0.75' | '0.95' | null {
  if (percent > 95) return '0.95'
  return percent > 75 ? '0.75' : null
}

export function severityOf(percent: number): 'normal' | 'warning' | 'critical' {
  const step = surpassed(percent)
  if (step === null) return 'normal'
  return step === '0.95' ? 'critical' : 'warning'
}
