// The periods of a budget in words and bars. Must stay true: what is no longer on record is left
// out and counted, not shown as zero.

import type { BudgetPeriodRow, BudgetRow } from '../../../../src/api/contract.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatDate, formatDay, formatMonth } from '../../data/format-time.ts'

/** Of a chart. */
export const SPENT = 'spent'

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
  const calls = row.unpriced_requests ?? 0
  const state = row.is_exceeded === true ? 'limit reached' : 'within the limit'
  return calls === 0 ? state : `${state}, ${formatCounted(calls, 'call')} without a price`
}

/** The oldest first, each with its limit beside it. */
export function toPeriodPoints(rows: readonly BudgetPeriodRow[], period: BudgetRow['period']) {
  const known = rows.toReversed().flatMap((row) => {
    const { spent_usd: spent, limit_usd: limit } = row
    return spent === null ? [] : [{ row, spent, limit }]
  })
  return {
    points: known.map(({ row, spent }) => ({
      id: row.period_start,
      label: `${toPeriodName(row, period)}: ${toPeriodState(row)}`,
      tick: period === 'month' ? formatMonth(row.period_start) : formatDay(row.period_start),
      values: { [SPENT]: spent },
      isPartial: row.is_running,
    })),
    limits: known.map(({ limit }) => ({ label: 'Limit', values: { [SPENT]: limit } })),
    missing: rows.length - known.length,
  }
}
