// Why a call has no record. Its id says when it began (RFC 9562, section 5.7).

import { formatTime } from '../../data/format-time.ts'

const DAY_MS = 86_400_000
/** A call is recorded shortly after its end, and some run for minutes. */
const YOUNG_MS = 600_000

export type MissingCall =
  | { readonly kind: 'no-id' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'young' }
  | { readonly kind: 'removed'; readonly text: string }

export interface MissingQuestion {
  readonly id: string
  readonly nowMs: number
  /** Undefined while it is not known. */
  readonly retentionDays: number | undefined
}

export function toMissingCall({ id, nowMs, retentionDays }: MissingQuestion): MissingCall {
  const startedMs = toIdTime(id)
  if (startedMs === null) return { kind: 'no-id' }
  if (retentionDays !== undefined && nowMs - startedMs > retentionDays * DAY_MS) {
    const began = formatTime(new Date(startedMs).toISOString())
    const kept = `Single calls are kept for ${retentionDays} days; totals are kept.`
    return { kind: 'removed', text: `It began on ${began}. ${kept}` }
  }
  return { kind: Math.abs(nowMs - startedMs) < YOUNG_MS ? 'young' : 'unknown' }
}

/** Null where it is not the id of a call. */
export function toIdTime(id: string): number | null {
  const found = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(
    id,
  )
  return found === null ? null : Number.parseInt(`${found[1]}${found[2]}`, 16)
}
