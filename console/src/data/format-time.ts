// Formats times, always in UTC, as the figures' days and months are.

const UTC = { timeZone: 'UTC' } as const
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', ...UTC })
const SHORT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  ...UTC,
})
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...UTC })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...UTC })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', ...UTC })
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...UTC })
const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

const SECOND_MS = 1000
const UNITS = [
  { unit: 'day', ms: 86_400 * SECOND_MS },
  { unit: 'hour', ms: 3600 * SECOND_MS },
  { unit: 'minute', ms: 60 * SECOND_MS },
  { unit: 'second', ms: SECOND_MS },
] as const
const DATE_AFTER_MS = 30 * 86_400 * SECOND_MS

/** `15 Mar 2026, 12:00:05 UTC` */
export function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`
}

/** `15 Mar, 12:00`, for columns whose head says UTC. */
export function formatShortTime(iso: string): string {
  return SHORT.format(new Date(iso))
}

/** `12:00:05`, beside a date or for today. */
export function formatClock(iso: string): string {
  return CLOCK.format(new Date(iso))
}

/** `15 Mar 2026` */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}

/** `15 Mar`, for axes. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso))
}

/** `March 2026` */
export function formatMonth(iso: string): string {
  return MONTH.format(new Date(iso))
}

/** `3 minutes ago`, `in 2 days`; a date where it is more than a month away. */
export function formatRelative(iso: string, nowMs: number): string {
  const awayMs = Date.parse(iso) - nowMs
  if (Math.abs(awayMs) > DATE_AFTER_MS) return formatDate(iso)
  const found = UNITS.find(({ ms }) => Math.abs(awayMs) >= ms)
  if (found === undefined) return 'just now'
  return RELATIVE.format(Math.trunc(awayMs / found.ms), found.unit)
}
