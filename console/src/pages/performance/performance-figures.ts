// The figures of Performance: times as their percentiles, and shares.

import type { AnalysisAnswer, AnalysisQuestion, Figures } from '../../data/analysis/analysis.ts'
import { chooseInterval, formatBucket, formatTick } from '../../data/analysis/interval.ts'
import { toHourText, toSpan } from '../../data/analysis/time-range.ts'
import type { Span } from '../../data/analysis/time-range.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatDuration } from '../../data/format-duration.ts'
import type { PerformanceSearch, Percentile, TimeName } from './performance-search.ts'

export const TIME_NAMES: Readonly<Record<TimeName, string>> = {
  first_byte: 'First byte, streamed',
  unstreamed: 'Whole call, not streamed',
  total: 'Whole call, any',
  own: 'Weir’s own',
}

export const GROUP_DEFAULT = 'provider'
const ROWS_MAX = 50
const MICROS_PER_MS = 1000

/** One question: all on the page is of one moment. */
export function toPerformanceAsked(
  search: PerformanceSearch,
  nowMs: number,
): { readonly question: AnalysisQuestion; readonly span: Span } {
  const span = toSpan(search, nowMs)
  const given = search.interval === 'none' ? undefined : search.interval
  return {
    span,
    question: {
      from: toHourText(span.fromMs),
      to: toHourText(span.toMs),
      interval: chooseInterval(given, span),
      group_by: [search.group_by ?? GROUP_DEFAULT],
      filter: search.filter ?? [],
      order_by: 'requests',
      limit: ROWS_MAX,
      latency: true,
    },
  }
}

/** In milliseconds; null where no call has it. */
export function toTimeMs(figures: Figures, time: TimeName, percentile: Percentile): number | null {
  if (time === 'own') {
    const micros = figures.own_us?.[percentile]
    return micros === undefined ? null : micros / MICROS_PER_MS
  }
  return figures[`${time}_ms`]?.[percentile] ?? null
}

export function formatTimeMs(ms: number | null): string {
  return ms === null ? '' : formatDuration(ms)
}

/** Of the requests; null without any. */
export function toErrorShare({ errors, requests }: Figures): number | null {
  return requests === 0 ? null : errors / requests
}

export function formatShareOrNothing(share: number | null): string {
  return share === null ? '' : formatShare(share)
}

const SPEED = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** `52.3 tokens/s` */
export function formatSpeed(tokensPerSecond: number | null): string {
  return tokensPerSecond === null ? '' : `${SPEED.format(tokensPerSecond)} tokens/s`
}

/** As ui/charts takes them. A figure that is null is a gap in its line. */
export function toLinePoints(
  { buckets, bucket_totals: totals, interval }: AnalysisAnswer,
  toValues: (figures: Figures) => readonly (readonly [id: string, value: number | null])[],
) {
  const byBucket = new Map(totals.map((total) => [total.bucket, toValues(total)]))
  return buckets.map(({ start, is_partial: isPartial }, bucket) => {
    const values = (byBucket.get(bucket) ?? []).flatMap(([id, value]) =>
      value === null ? [] : [[id, value] as const],
    )
    return {
      id: start,
      label: formatBucket(Date.parse(start), interval),
      tick: formatTick(Date.parse(start), interval),
      values: Object.fromEntries(values),
      isPartial,
    }
  })
}
