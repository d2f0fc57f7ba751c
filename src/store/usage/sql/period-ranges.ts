// Which stored periods make up a span of hours: whole months where there are any and the interval
// allows it, hours otherwise.

import type { AnalysisInterval, AnalysisQuestion } from '../analysis.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** 1970-01-01 was a Thursday. */
const MONDAY_MS = 4 * DAY_MS

/** As periods are numbered, both ends included: 2026101512 is an hour, 202610 a month. */
export interface PeriodRange {
  readonly from: number
  readonly to: number
  readonly isHours: boolean
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** In order; at most one range of months, and hours before and behind it. */
export function listRanges(question: AnalysisQuestion): readonly PeriodRange[] {
  const { fromMs, toMs, interval } = question
  if (toMs <= fromMs) return []
  const isByMonth = interval === 'none' || interval === 'month'
  const monthsFrom = toMonthStart(fromMs) === fromMs ? fromMs : toNextMonth(fromMs)
  const monthsTo = toMonthStart(toMs)
  if (!isByMonth || monthsFrom >= monthsTo) return [hoursOf(fromMs, toMs)]
  const months = {
    from: toNumber(monthsFrom, 'month'),
    to: toNumber(monthsTo - HOUR_MS, 'month'),
    isHours: false,
    fromMs: monthsFrom,
    toMs: monthsTo,
  }
  return [
    ...(fromMs < monthsFrom ? [hoursOf(fromMs, monthsFrom)] : []),
    months,
    ...(monthsTo < toMs ? [hoursOf(monthsTo, toMs)] : []),
  ]
}

function hoursOf(fromMs: number, toMs: number): PeriodRange {
  const [from, to] = [toNumber(fromMs, 'hour'), toNumber(toMs - HOUR_MS, 'hour')]
  return { from, to, isHours: true, fromMs, toMs }
}

/** Also for retention: the number of the hour or month that a moment is in. */
export function toNumber(atMs: number, grain: 'hour' | 'month'): number {
  const digits = new Date(atMs).toISOString().slice(0, grain === 'hour' ? 13 : 7)
  return Number(digits.replaceAll(/\D/g, ''))
}

/** When the interval that a stored period is in begins; null without intervals. */
export function toBucket(period: number, interval: AnalysisInterval): number | null {
  const digits = String(period)
  const [year, month] = [Number(digits.slice(0, 4)), Number(digits.slice(4, 6))]
  const [day, hour] = [Number(digits.slice(6, 8) || 1), Number(digits.slice(8, 10))]
  const atMs = Date.UTC(year, month - 1, day, hour)
  switch (interval) {
    case 'none':
      return null
    case 'hour':
      return atMs
    case 'day':
      return atMs - (atMs % DAY_MS)
    case 'week':
      return atMs - ((((atMs - MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS)
    case 'month':
      return toMonthStart(atMs)
  }
}

export function toMonthStart(atMs: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
}

export function toNextMonth(atMs: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
}
