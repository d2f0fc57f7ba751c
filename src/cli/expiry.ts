// WHEN, as `--expires` takes it: a time in ISO 8601, or a duration from now.

import { parseMoment } from '../core/moment.ts'
import { invalidArgument } from './command.ts'

const SPAN = /^(\d{1,7})([mhd])$/
const SPAN_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const MOMENT_MAX_MS = Date.UTC(9999, 11, 31)

const HINT =
  'Write a date (2027-01-31), a UTC time (2027-01-31T12:00Z) or a duration (30d, 12h, 90m).'

/** Milliseconds since the epoch. The past is refused: such a key could never be used. */
export function parseExpiry(text: string, nowMs: number): number {
  const spanMs = parseSpan(text)
  const expiresAt = spanMs === null ? parseMoment(text) : nowMs + spanMs
  if (expiresAt === null) throw invalidArgument(`"${text}" is not a date or time.`, HINT)
  if (expiresAt <= nowMs) throw invalidArgument(`"${text}" is not in the future.`, HINT)
  if (expiresAt > MOMENT_MAX_MS) throw invalidArgument(`"${text}" is too far away.`, HINT)
  return expiresAt
}

/** `90m`, `12h`, `30d` in milliseconds; null for anything else. */
export function parseSpan(text: string): number | null {
  const match = SPAN.exec(text)
  if (match === null) return null
  return Number(match[1]) * SPAN_MS[match[2] as keyof typeof SPAN_MS]
}
