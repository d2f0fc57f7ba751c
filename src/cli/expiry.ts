// WHEN, as `--expires` takes it: a moment in ISO 8601, or a span from now.

import { invalidArgument } from './command.ts'

const SPAN = /^(\d{1,7})([mhd])$/
const SPAN_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?([Zz]|[+-]\d\d:\d\d)?)?$/
const MOMENT_MAX_MS = Date.UTC(9999, 11, 31)

const HINT = 'Write a date (2027-01-31), a UTC time (2027-01-31T12:00Z) or a span (30d, 12h, 90m).'

/** Milliseconds since the epoch. What lies in the past is refused: such a key could never be used. */
export function parseExpiry(text: string, nowMs: number): number {
  const expiresAt = parseSpan(text, nowMs) ?? parseMoment(text)
  if (expiresAt === null) throw invalidArgument(`"${text}" is no moment in time.`, HINT)
  if (expiresAt <= nowMs) throw invalidArgument(`"${text}" is not in the future.`, HINT)
  if (expiresAt > MOMENT_MAX_MS) throw invalidArgument(`"${text}" is too far away.`, HINT)
  return expiresAt
}

function parseSpan(text: string, nowMs: number): number | null {
  const match = SPAN.exec(text)
  if (match === null) return null
  return nowMs + Number(match[1]) * SPAN_MS[match[2] as keyof typeof SPAN_MS]
}

/** UTC when there is no zone, whatever the machine's zone is; a date alone is its first moment. */
function parseMoment(text: string): number | null {
  const match = MOMENT.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number]
  if (hour > 23 || minute > 59 || second > 59) return null
  const dateMs = Date.UTC(year, month - 1, day)
  // Date.UTC turns February 30 into March 2; such a date is a mistake to be told.
  const date = new Date(dateMs)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const offsetMs = parseOffset(match[8])
  if (offsetMs === null) return null
  const timeMs =
    ((hour * 60 + minute) * 60 + second) * 1000 + Number((match[7] ?? '').padEnd(3, '0'))
  return dateMs + timeMs - offsetMs
}

function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
