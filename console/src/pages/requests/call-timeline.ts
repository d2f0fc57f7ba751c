// Where the time of a call went. Must stay true: the phases follow each other without a gap and add
// up to the whole, and Weir's own share is separate wherever it is known.

import type { RequestRow } from '../../../../src/api/contract.ts'

/**
 * own        Weir, before the request was forwarded
 * waiting    for the first byte of the provider's answer
 * receiving  from its first byte to its end
 */
export type PhaseId = 'own' | 'waiting' | 'receiving'

export interface Phase {
  readonly id: PhaseId
  /** After the call arrived. */
  readonly startMs: number
  readonly durationMs: number
  /** Of the whole, 0 to 1. */
  readonly share: number
}

type TimeFacts = Pick<
  RequestRow,
  'started_at' | 'first_byte_at' | 'duration_ms' | 'own_ms' | 'status'
>

export function toTimeline(call: TimeFacts) {
  // Weir's share is more precise than the whole's milliseconds.
  const totalMs = Math.max(call.duration_ms, call.own_ms ?? 0)
  const ownEnd = toOwnEnd(call, totalMs)
  const firstByte = toFirstByte(call, { ownEnd, totalMs })
  const marks: readonly (readonly [PhaseId, number, number])[] = [
    ['own', 0, ownEnd],
    ['waiting', ownEnd, firstByte],
    ['receiving', firstByte, totalMs],
  ]
  const phases = marks
    .filter(([, start, end]) => end > start)
    .map(([id, startMs, end]) => {
      const durationMs = end - startMs
      return { id, startMs, durationMs, share: durationMs / totalMs }
    })
  return { totalMs, phases }
}

/** A denied call was never forwarded: all of its time is Weir's. */
function toOwnEnd({ status, own_ms: ownMs }: TimeFacts, totalMs: number): number {
  return status === 'denied' ? totalMs : Math.min(ownMs ?? 0, totalMs)
}

interface Bounds {
  readonly ownEnd: number
  readonly totalMs: number
}

/** Within its bounds even if the machine's clock was changed meanwhile. */
function toFirstByte(call: TimeFacts, { ownEnd, totalMs }: Bounds): number {
  if (call.first_byte_at === null) return totalMs
  const atMs = Date.parse(call.first_byte_at) - Date.parse(call.started_at)
  return Math.min(Math.max(atMs, ownEnd), totalMs)
}
