// Formats times. Moments are shown in UTC or in the zone of the browser, as the person chose; a day
// or month that was summed (`2026-03-15`, without a time) is a UTC day and stays so.

import { readPreference } from './preferences.ts'

const UTC = 'UTC'
const SUMMED_DAY = /^\d{4}-\d{2}-\d{2}$/

const TIME = { dateStyle: 'medium', timeStyle: 'long' } as const
const SHORT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
const DATE = { dateStyle: 'medium' } as const
const DAY = { day: 'numeric', month: 'short' } as const
const MONTH = { month: 'short', year: 'numeric' } as const
const CLOCK = { timeStyle: 'medium' } as const
const ZONED = { ...SHORT, timeZoneName: 'short' } as const

/** Making one takes longer than a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(iso: string, style: Intl.DateTimeFormatOptions, zone = zoneOf(iso)): string {
  const name = `${zone} ${JSON.stringify(style)}`
  const known = formats.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...style, timeZone: zone })
  formats.set(name, known)
  return known.format(new Date(iso))
}

function zoneOf(iso: string): string {
  return SUMMED_DAY.test(iso) ? UTC : readZone()
}

/** The zone of the moments on the screen, for labels: `UTC`, `Europe/Dublin`. */
export function readZone(): string {
  return readPreference('times') === 'utc' ? UTC : readLocalZone()
}

export function readLocalZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

const SECOND_MS = 1000
const UNITS = [
  { unit: 'day', ms: 86_400 * SECOND_MS },
  { unit: 'hour', ms: 3600 * SECOND_MS },
  { unit: 'minute', ms: 60 * SECOND_MS },
  { unit: 'second', ms: SECOND_MS },
] as const
const DATE_AFTER_MS = 30 * 86_400 * SECOND_MS

/** `15 Mar 2026, 12:00:05 UTC`, `15 Mar 2026, 08:00:05 GMT-4` */
export function formatTime(iso: string): string {
  return format(iso, TIME)
}

/** `15 Mar, 12:00 UTC` */
export function formatShortTime(iso: string): string {
  return format(iso, ZONED)
}

/** `15 Mar, 12:00`, in UTC, for where sums begin and end. */
export function formatUtcTime(iso: string): string {
  return format(iso, SHORT, UTC)
}

/** `12:00:05`, beside a date or for today, under a head that names the zone. */
export function formatClock(iso: string): string {
  return format(iso, CLOCK)
}

/** `15 Mar 2026` */
export function formatDate(iso: string): string {
  return format(iso, DATE)
}

/** `15 Mar`, for axes. */
export function formatDay(iso: string): string {
  return format(iso, DAY)
}

/** `Mar 2026`, of the UTC month that a moment or a day is in. */
export function formatMonth(iso: string): string {
  return format(iso, MONTH, UTC)
}

/** `Weir’s list of 17 Nov 2026` for what is shipped; an import or a rule by its own name. */
export function formatPriceVersion(version: string): string {
  const [, day] = /^bundle@(\d{4}-\d{2}-\d{2})$/.exec(version) ?? []
  return day === undefined ? version : `Weir’s list of ${formatDate(day)}`
}

/** `3 minutes ago`, `in 2 days`; a date where it is more than a month away. */
export function formatRelative(iso: string, nowMs: number): string {
  const awayMs = Date.parse(iso) - nowMs
  if (Math.abs(awayMs) > DATE_AFTER_MS) return formatDate(iso)
  const found = UNITS.find(({ ms }) => Math.abs(awayMs) >= ms)
  if (found === undefined) return 'just now'
  return RELATIVE.format(Math.trunc(awayMs / found.ms), found.unit)
}
