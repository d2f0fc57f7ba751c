// How a span is cut into bars. Must stay true: an interval that is offered gives a number of bars
// that can be read, and weeks begin on Monday, as the API's do.

import { DAY_MS, HOUR_MS } from './time-range.ts'
import type { Span } from './time-range.ts'

export const INTERVALS = ['none', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

export const INTERVAL_NAMES: Readonly<Record<Interval, string>> = {
  none: 'None',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

const SHORTEST_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS } as const

/** More bars than this are thinner than a few pixels. */
const BARS_MAX = 200
/** Up to which span each is the one to begin with; a longer one is cut by month. */
const WANTED_UP_TO_MS = [
  ['hour', 2 * DAY_MS],
  ['day', 95 * DAY_MS],
  ['week', 190 * DAY_MS],
] as const

export function fitsSpan(interval: Interval, { fromMs, toMs }: Span): boolean {
  if (interval === 'none') return true
  const bars = (toMs - fromMs) / SHORTEST_MS[interval]
  // One bar is of no use, but for the hour, which is the shortest there is.
  return bars <= BARS_MAX && (bars > 1 || interval === 'hour')
}

export function toFittingInterval(span: Span): Interval {
  const lengthMs = span.toMs - span.fromMs
  return WANTED_UP_TO_MS.find(([, mostMs]) => lengthMs <= mostMs)?.[0] ?? 'month'
}

/** The given one where it fits. */
export function chooseInterval(given: Interval | undefined, span: Span): Interval {
  return given !== undefined && fitsSpan(given, span) ? given : toFittingInterval(span)
}

/** When the bar that begins then ends. */
export function toBucketEnd(startMs: number, interval: Interval): number {
  if (interval !== 'month') return startMs + (interval === 'none' ? 0 : SHORTEST_MS[interval])
  const start = new Date(startMs)
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
}

const UTC = { timeZone: 'UTC' } as const
const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...UTC })
const DAY_HOUR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  ...UTC,
})
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...UTC })
const WEEKDAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  ...UTC,
})
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', ...UTC })

/** For an axis: `05:00`, `28 Oct`, `Oct 2026`. A midnight among hours is its day. */
export function formatTick(startMs: number, interval: Interval): string {
  if (interval === 'hour') return (startMs % DAY_MS === 0 ? DAY : HOUR).format(startMs)
  return (interval === 'month' ? MONTH : DAY).format(startMs)
}

/** In full: `28 Oct, 05:00 UTC`, `Wed, 28 Oct 2026`, `Week of Mon, 26 Oct 2026`, `Oct 2026`. */
export function formatBucket(startMs: number, interval: Interval): string {
  if (interval === 'hour') return `${DAY_HOUR.format(startMs)} UTC`
  if (interval === 'month') return MONTH.format(startMs)
  return `${interval === 'week' ? 'Week of ' : ''}${WEEKDAY.format(startMs)}`
}
