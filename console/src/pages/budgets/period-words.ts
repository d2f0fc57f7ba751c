// The periods of a budget in words and bars. Must stay true: what is not known has no bar, and is
// not shown as zero.

import type { BudgetPeriodRow, BudgetRow } from '../../../../src/api/contract.ts'
import { formatCounted, formatShare } from '../../data/format-count.ts'
import { formatDate, formatDay, formatMonth } from '../../data/format-time.ts'

/** `March 2026`, `9 Mar to 15 Mar 2026`, `15 Mar 2026`. */
export function toPeriodName(row: BudgetPeriodRow, period: BudgetRow['period']): string {
  const { period_start: start, period_end: end } = row
  if (period === 'month') return formatMonth(start.slice(0, 7))
  if (period === 'day') return formatDate(start)
  // The end is the first moment behind it.
  const last = new Date(Date.parse(end) - 1).toISOString()
  return `${formatDay(start)} to ${formatDate(last)}`
}

export function toPeriodState(row: BudgetPeriodRow): string {
  if (row.spent_usd === null) return 'No longer on record'
  const calls = row.unpriced_requests ?? 0
  const within = row.is_running ? 'Within the limit so far' : 'Within the limit'
  const state = row.is_exceeded === true ? 'Limit reached' : within
  return calls === 0 ? state : `${state}, ${formatCounted(calls, 'call')} without a price`
}

export interface PeriodBar {
  readonly id: string
  /** In percent of the height of the drawing. */
  readonly height: number
  readonly tone: 'good' | 'bad'
  readonly isRunning: boolean
}

export interface PeriodBars {
  /** The oldest first. */
  readonly bars: readonly PeriodBar[]
  /** Where 100 % of the limits are, in percent of the height. */
  readonly limit: number
  readonly scale: string
}

/** Beyond it a single bad month would make all others invisible. */
const TOP_PERCENT_MAX = 400

export function toPeriodBars(rows: readonly BudgetPeriodRow[]): PeriodBars {
  const percents = rows.map(({ spent_percent: percent }) => percent ?? 0)
  const top = Math.min(TOP_PERCENT_MAX, Math.max(100, ...percents))
  return {
    bars: rows.toReversed().map((row) => ({
      id: row.period_start,
      height: (Math.min(row.spent_percent ?? 0, top) / top) * 100,
      tone: row.is_exceeded === true ? 'bad' : 'good',
      isRunning: row.is_running,
    })),
    limit: (100 / top) * 100,
    scale:
      `Each bar is the share of its own limit; the line is 100 %, the top ${formatShare(top / 100)}.` +
      (percents.some((percent) => percent > top) ? ' Higher bars are cut there.' : ''),
  }
}
