// The hours of a bar, as an address has them.

import { toBucketEnd } from '../../data/analysis/interval.ts'
import type { Interval } from '../../data/analysis/interval.ts'
import { HOUR_MS, toHourText } from '../../data/analysis/time-range.ts'
import type { RangeSearch, Span } from '../../data/analysis/time-range.ts'

export interface BarPosition {
  readonly search: RangeSearch
  readonly span: Span
  readonly nowMs: number
}

export interface BarRange extends RangeSearch {
  readonly interval: undefined
}

/** Null where the span is the bar's one hour: there are no shorter ones. */
export function toBarRange(
  place: BarPosition,
  startMs: number,
  interval: Interval,
): BarRange | null {
  const { search, span, nowMs } = place
  const endMs = toBucketEnd(startMs, interval)
  // What runs goes on to its end; what was cut by free dates stays cut.
  const isRunning = search.to === undefined && endMs > nowMs
  const fromMs = Math.max(startMs, span.fromMs)
  const toMs = isRunning ? endMs : Math.min(endMs, span.toMs)
  const isWhole = fromMs <= span.fromMs && toMs >= span.toMs
  if (isWhole && span.toMs - span.fromMs <= HOUR_MS) return null
  // Its own bars are shorter.
  return { range: undefined, interval: undefined, from: toHourText(fromMs), to: toHourText(toMs) }
}
