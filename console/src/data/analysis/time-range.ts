// The span that a page of figures is about: a preset, or two hours. Must stay true: all is UTC and
// whole hours, as the sums are, and the end is exclusive.

import { compact, parseChoice, parseText } from '../search-values.ts'
import type { RawSearch } from '../search-values.ts'

export const RANGE_PRESETS = [
  'today',
  'yesterday',
  'last_24_hours',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
  'last_12_months',
] as const
export type RangePreset = (typeof RANGE_PRESETS)[number]

export const PRESET_NAMES: Readonly<Record<RangePreset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last_24_hours: 'Last 24 hours',
  last_7_days: 'Last 7 days',
  last_30_days: 'Last 30 days',
  this_month: 'This month',
  last_month: 'Last month',
  last_12_months: 'Last 12 months',
}

export const PRESET_DEFAULT: RangePreset = 'last_30_days'

/** In the address: a preset, or from and to. */
export interface RangeSearch {
  readonly range?: RangePreset | undefined
  /** `2026-11-01` or `2026-11-01T05:00Z` */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface Span {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const LEFT_OUT_DAYS = 30

export function parseRangeSearch(raw: RawSearch): RangeSearch {
  const [from, to] = [parseHour(raw['from']), parseHour(raw['to'])]
  if (from === undefined && to === undefined) {
    return compact({ range: parseChoice(raw['range'], RANGE_PRESETS) })
  }
  const isInOrder = from === undefined || to === undefined || from < to
  return isInOrder ? compact({ from: toHourText(from), to: toHourText(to) }) : {}
}

const HOUR = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)?$/

/** The hour that a written moment is in. */
function parseHour(value: unknown): number | undefined {
  const text = parseText(value)
  if (text === undefined || !HOUR.test(text)) return undefined
  const timeMs = Date.parse(text)
  return Number.isNaN(timeMs) || timeMs < 0 ? undefined : Math.floor(timeMs / HOUR_MS) * HOUR_MS
}

/** A midnight as its date. */
export function toHourText(timeMs: number): string
export function toHourText(timeMs: number | undefined): string | undefined
export function toHourText(timeMs: number | undefined): string | undefined {
  if (timeMs === undefined) return undefined
  const text = new Date(timeMs).toISOString()
  return timeMs % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 16)}Z`
}

/** The hours of an address now. What runs ends with the current hour. */
export function toSpan(search: RangeSearch, nowMs: number): Span {
  const nextHourMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
  const { from, to } = search
  if (from === undefined && to === undefined) {
    return toPresetSpan(search.range ?? PRESET_DEFAULT, nextHourMs)
  }
  const toMs = to === undefined ? nextHourMs : Date.parse(to)
  const fromMs = from === undefined ? toMs - LEFT_OUT_DAYS * DAY_MS : Date.parse(from)
  // An address that begins in the future is for the API to refuse.
  return { fromMs, toMs: Math.max(toMs, fromMs + HOUR_MS) }
}

function toPresetSpan(preset: RangePreset, nextHourMs: number): Span {
  // The hour that runs decides which day and month it is.
  const now = new Date(nextHourMs - HOUR_MS)
  const todayMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const monthMs = (back: number): number =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)
  switch (preset) {
    case 'today':
      return { fromMs: todayMs, toMs: nextHourMs }
    case 'yesterday':
      return { fromMs: todayMs - DAY_MS, toMs: todayMs }
    case 'last_24_hours':
      return { fromMs: nextHourMs - DAY_MS, toMs: nextHourMs }
    case 'last_7_days':
      return { fromMs: todayMs - 6 * DAY_MS, toMs: nextHourMs }
    case 'last_30_days':
      return { fromMs: todayMs - 29 * DAY_MS, toMs: nextHourMs }
    case 'this_month':
      return { fromMs: monthMs(0), toMs: nextHourMs }
    case 'last_month':
      return { fromMs: monthMs(1), toMs: monthMs(0) }
    case 'last_12_months':
      return { fromMs: monthMs(11), toMs: nextHourMs }
  }
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** `Last 30 days`, `28 Oct 2026`, `1 Oct 2026 to 17 Oct 2026`, `28 Oct 2026, 05:00 to 06:00 UTC` */
export function describeRange(search: RangeSearch, nowMs: number): string {
  if (search.from === undefined && search.to === undefined) {
    return PRESET_NAMES[search.range ?? PRESET_DEFAULT]
  }
  return describeSpan(toSpan(search, nowMs))
}

/** Whole days by their last one, since `to 18 Oct` would be read as the 18th included. */
export function describeSpan({ fromMs, toMs }: Span): string {
  const isDays = fromMs % DAY_MS === 0 && toMs % DAY_MS === 0
  if (isDays) {
    const [first, last] = [DATE.format(fromMs), DATE.format(toMs - DAY_MS)]
    return first === last ? first : `${first} to ${last}`
  }
  const isOneDay = Math.floor(fromMs / DAY_MS) === Math.floor(toMs / DAY_MS)
  const end = isOneDay ? new Date(toMs).toISOString().slice(11, 16) : TIME.format(toMs)
  return `${TIME.format(fromMs)} to ${end} UTC`
}
