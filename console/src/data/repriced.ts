// Months whose costs were changed after the fact. Where such a month's figure is shown, so is what
// it was before.

import { useQuery } from '@tanstack/react-query'
import type { RepricedMonthAnswer } from '../../../src/api/contract.ts'
import { formatDate, formatMonth } from './format-time.ts'
import { formatUsd } from './format-usd.ts'
import { toMonthBefore } from './month-before.ts'
import { useSeesCompany } from './session.ts'
import { breakdownQuery } from './usage.ts'

/** As far back as a series of months goes; of its rows none is needed. */
const repricedQuery = breakdownQuery({
  metric: 'cost_usd',
  window: 'monthly_series',
  dimension: 'provider',
  months: 24,
  limit: 1,
})

/** It is not known of single teams, whose figures of two years would be added up for nothing. */
export function useRepricedMonths(): readonly RepricedMonthAnswer[] | undefined {
  return useQuery({ ...repricedQuery, enabled: useSeesCompany() }).data?.repriced
}

/** Undefined where it was not, and while that is not known. */
export function useRepriced(month: string): RepricedMonthAnswer | undefined {
  return findRepriced(useRepricedMonths(), month)
}

/** `month` is `YYYY-MM`, or any date in it. */
export function findRepriced(
  months: readonly RepricedMonthAnswer[] | undefined,
  month: string,
): RepricedMonthAnswer | undefined {
  return months?.find((each) => each.month === month.slice(0, 7))
}

/** `Repriced on 5 Mar 2026: $30.00 before, $33.00 after` */
export function toRepricedText(entry: RepricedMonthAnswer): string {
  return `Repriced on ${formatDate(entry.at)}: ${toSums(entry)}`
}

function toSums({ before_usd: before, after_usd: after }: RepricedMonthAnswer): string {
  return `${formatUsd(before)} before, ${formatUsd(after)} after`
}

/** Where figures were read, and of what. */
export interface ShownSpan {
  readonly asOf: string
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** Of the months that are in the span as a whole, or as far as they have come; latest first. */
export function listRepriced(
  months: readonly RepricedMonthAnswer[] | undefined,
  { asOf, from, to }: ShownSpan,
): readonly RepricedMonthAnswer[] {
  return (months ?? []).filter(({ month }) => {
    const start = `${month}-01T00:00:00.000Z`
    const end = `${toMonthBefore(month, -1)}-01T00:00:00.000Z`
    return from <= start && start < to && (end <= to || asOf <= to)
  })
}

/** Beside figures of another span, or of a month that has gone on since. */
export function toRepricedWords(entry: RepricedMonthAnswer): string {
  const { month, at } = entry
  const what = `${formatMonth(`${month}-01`)}, repriced on ${formatDate(at)}, all calls until then`
  return `${what}: ${toSums(entry)}`
}
