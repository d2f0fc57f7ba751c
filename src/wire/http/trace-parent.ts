// The caller's span that a call belongs to, as its `traceparent` header says
// (https://www.w3.org/TR/trace-context/#traceparent-header).

import type { HeaderLines } from './header-lines.ts'

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** False: the caller's own spans of this trace are not kept, so neither is the call's. */
  readonly isSampled: boolean
}

const NAME = 'traceparent'
const CHARACTERS_MAX = 256
const IDS = '(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}'
/** A later version may add members at the end; version ff is none. */
const HEADER = new RegExp(`^(?:00-(${IDS})|(?!00|ff)[0-9a-f]{2}-(${IDS})(?:-.*)?)$`)
const SAMPLED = 1

/** As events keep it, `<trace id>-<span id>-<flags>`; null where the header says nothing valid. */
export function readTraceParent(header: string | null): string | null {
  if (header === null || header.length > CHARACTERS_MAX) return null
  const match = HEADER.exec(header)
  return match?.[1] ?? match?.[2] ?? null
}

/** Of a head with several, none is the caller's. */
export function findTraceParent(lines: Pick<HeaderLines, 'findAll'>): string | undefined {
  const [header = null, ...others] = lines.findAll(NAME)
  return others.length > 0 ? undefined : (readTraceParent(header) ?? undefined)
}

/** Takes what `readTraceParent` gave. */
export function toTraceParent(kept: string): TraceParent {
  const [traceId = '', spanId = '', flags = ''] = kept.split('-')
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}
