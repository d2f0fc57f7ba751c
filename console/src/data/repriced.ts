// Months whose costs were changed after the fact. Where such a month's figure is shown, so is what
// it was before.

import { useQuery } from '@tanstack/react-query'
import type { RepricedMonthAnswer } from '../../../src/api/contract.ts'
import { formatDate } from './format-time.ts'
import { formatUsd } from './format-usd.ts'
import { breakdownQuery } from './usage.ts'

/** As far back as a series of months goes; of its rows none is needed. */
export const repricedQuery = breakdownQuery({
  metric: 'cost_usd',
  window: 'monthly_series',
  dimension: 'provider',
  months: 24,
  limit: 1,
})

/** Undefined where it was not, and while that is not known. */
export function useRepriced(month: string): RepricedMonthAnswer | undefined {
  const { data } = useQuery(repricedQuery)
  return findRepriced(data?.repriced, month)
}

/** `month` is `YYYY-MM`, or any date in it. */
export function findRepriced(
  months: readonly RepricedMonthAnswer[] | undefined,
  month: string,
): RepricedMonthAnswer | undefined {
  return months?.find((each) => each.month === month.slice(0, 7))
}

/** `Repriced on 5 Mar 2026: $30.00 before, $33.00 after` */
export function toRepricedText({ at, before_usd, after_usd }: RepricedMonthAnswer): string {
  return `Repriced on ${formatDate(at)}: ${formatUsd(before_usd)} before, ${formatUsd(after_usd)} after`
}
