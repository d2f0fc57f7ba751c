// A span of time in few words, for what is compared: `1–18 Oct`. Days are cut in UTC, as sums are.

import { DAY_MS } from './time-range.ts'

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** As the API says it; the end is exclusive. */
export interface NamedSpan {
  readonly from: string
  readonly to: string
}

/** `1–18 Oct`, `28 Sept – 4 Oct`, `1 Nov 2024 – 31 Oct 2025`, `18 Oct` */
export function nameSpan({ from, to }: NamedSpan): string {
  const first = new Date(from)
  const last = new Date(Math.max(Date.parse(to) - 1, first.getTime()))
  if (first.getUTCFullYear() !== last.getUTCFullYear()) {
    return `${DATE.format(first)} – ${DATE.format(last)}`
  }
  const end = DAY.format(last)
  if (first.getUTCMonth() !== last.getUTCMonth()) return `${DAY.format(first)} – ${end}`
  const day = first.getUTCDate()
  return day === last.getUTCDate() ? end : `${day}–${end}`
}

/** With the moment where it cuts a day: `1–18 Oct until 12:20 UTC` */
export function nameExactSpan(span: NamedSpan): string {
  const since = toClock(span.from)
  const until = toClock(span.to)
  return [
    nameSpan(span),
    ...(since === null ? [] : [`from ${since}`]),
    ...(until === null ? [] : [`until ${until}`]),
    ...(since === null && until === null ? [] : ['UTC']),
  ].join(' ')
}

function toClock(iso: string): string | null {
  return Date.parse(iso) % DAY_MS === 0 ? null : new Date(iso).toISOString().slice(11, 16)
}
