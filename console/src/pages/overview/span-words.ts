// Which spans of time are compared or continued, in words. Days are cut in UTC, as the sums are.

import type { Overview } from '../../../../src/api/contract.ts'
import { formatDay, formatUtcTime } from '../../data/format-time.ts'

type Comparison = NonNullable<Overview['comparison']>

const DAY_MS = 86_400_000

/** `1–17 Nov, 11:03 against 1–17 Oct, 11:03 UTC` */
export function toSpanWords(comparison: Comparison): string {
  const { from, to, before_from, before_to } = comparison
  return `${toSpan(from, to)} against ${toSpan(before_from, before_to)} UTC`
}

/** `At the pace since 10 Nov UTC`; null where the whole month is on record. */
export function toPaceWords({ asOf, first_call_at: first }: SpanFacts): string | null {
  return first === null || first.slice(0, 7) !== asOf.slice(0, 7)
    ? null
    : `At the pace since ${toStart(first)} UTC`
}

/** `All of last month`, or since when it is on record; null where it is not. */
export function toLastMonthWords({ asOf, first_call_at: first }: SpanFacts): string | null {
  if (first === null || first.slice(0, 7) === asOf.slice(0, 7)) return null
  const monthStartMs = Date.parse(`${asOf.slice(0, 7)}-01`)
  const lastMonth = new Date(monthStartMs - 1).toISOString().slice(0, 7)
  return first.slice(0, 7) === lastMonth
    ? `Last month from ${toStart(first)} UTC`
    : 'All of last month'
}

export type SpanFacts = Pick<Overview, 'asOf' | 'first_call_at'>

function toSpan(from: string, to: string): string {
  const end = isMidnight(to)
    ? formatDay(new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10))
    : formatUtcTime(to)
  // Both are in one month.
  const first = Number(from.slice(8, 10))
  if (!isMidnight(from)) return `${toStart(from)} – ${end}`
  return end.startsWith(`${first} `) ? end.replace(', ', ' until ') : `${first}–${end}`
}

function toStart(iso: string): string {
  return isMidnight(iso) ? formatDay(iso.slice(0, 10)) : formatUtcTime(iso)
}

function isMidnight(iso: string): boolean {
  return Date.parse(iso) % DAY_MS === 0
}
