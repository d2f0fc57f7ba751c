// The time range of the log: a span that ends now, or two moments. The address has UTC; inputs show
// moments in the zone that the person chose.

import { DAY_MS, HOUR_MS, PRESET_NAMES, toSpan } from '../../data/analysis/time-range.ts'
import { readPreference } from '../../data/preferences.ts'
import { REQUEST_RANGES } from './requests-search.ts'
import type { RequestRange, RequestsSearch } from './requests-search.ts'

const MINUTE_MS = 60_000
export type RangeChoice = 'all' | RequestRange | 'exact'

const RANGE_NAMES: Readonly<Record<RangeChoice, string>> = {
  all: 'Any time',
  hour: 'Last hour',
  ...PRESET_NAMES,
  exact: 'Custom range',
}

export const RANGE_CHOICES = (['all', ...REQUEST_RANGES, 'exact'] as const).map((value) => ({
  value,
  label: RANGE_NAMES[value],
}))

export function toRangeChoice({ range, from, to }: RequestsSearch): RangeChoice {
  if (from !== undefined || to !== undefined) return 'exact'
  return range ?? 'all'
}

export interface Moments {
  readonly from: string | null
  /** Null for what goes on. */
  readonly to: string | null
}

/** What the API is asked for now, to the second. The days and months are those of all figures. */
export function toMoments({ range, from, to }: RequestsSearch, nowMs: number): Moments {
  if (range === undefined) return { from: from ?? null, to: to ?? null }
  if (range === 'hour') return { from: toMoment(nowMs - HOUR_MS), to: null }
  const span = toSpan({ range }, nowMs)
  return { from: toMoment(span.fromMs), to: span.toMs > nowMs ? null : toMoment(span.toMs) }
}

function toMoment(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`
}

/** What the address has to say for a choice. */
export function toRangeSearch(
  choice: RangeChoice,
  nowMs: number,
): Pick<RequestsSearch, 'range' | 'from' | 'to'> {
  const none = { range: undefined, from: undefined, to: undefined }
  if (choice === 'all') return none
  // A custom range starts with today.
  if (choice === 'exact') return { ...none, from: new Date(nowMs).toISOString().slice(0, 10) }
  return { ...none, range: choice }
}

/** A moment of the address as an input of date and time has it: `2026-03-01T00:00`. */
export function toInputMoment(moment: string | undefined): string {
  if (moment === undefined) return ''
  const timeMs = Date.parse(moment)
  return Number.isNaN(timeMs) ? '' : new Date(timeMs + toAheadMs(timeMs)).toISOString().slice(0, 16)
}

/** And back. The input knows no time zone. */
export function fromInputMoment(text: string): string | undefined {
  // Without a zone it is a local time.
  const timeMs = Date.parse(readPreference('times') === 'utc' ? `${text}Z` : text)
  return Number.isNaN(timeMs) ? undefined : toMoment(timeMs)
}

/** How far the clocks of the chosen zone are ahead of UTC at that moment. */
function toAheadMs(timeMs: number): number {
  if (readPreference('times') === 'utc') return 0
  return -new Date(timeMs).getTimezoneOffset() * MINUTE_MS
}

/** The months that can be exported, newest first, as `2026-03`. */
export function toExportMonths(nowMs: number, retentionDays: number): readonly string[] {
  const now = new Date(nowMs)
  const oldest = toMonth(nowMs - retentionDays * DAY_MS)
  const months: string[] = []
  for (let back = 0; back < EXPORT_MONTHS_MAX; back += 1) {
    const month = toMonth(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    if (month < oldest) break
    months.push(month)
  }
  return months
}

const EXPORT_MONTHS_MAX = 36

function toMonth(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}
