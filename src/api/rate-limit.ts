// A sliding limit of requests per minute and caller. Must stay true: no minute ever has more, and
// waiting as long as the answer says is enough.

import type { Clock } from '../core/clock.ts'

export interface RateState {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the oldest request no longer counts. */
  readonly resetSeconds: number
}

export interface RateLimit {
  /** Counts a request unless it is one too many. */
  take(callerId: string): RateState
}

const MINUTE_MS = 60_000
const SECOND_MS = 1000

export function createRateLimit(limit: number, clock: Pick<Clock, 'monotonic'>): RateLimit {
  /** Times of the last minute by caller, oldest first. */
  const taken = new Map<string, number[]>()
  let forgotAt = clock.monotonic()

  function forgetOld(now: number): void {
    if (now - forgotAt < MINUTE_MS) return
    forgotAt = now
    for (const [callerId, moments] of taken) {
      if ((moments.at(-1) ?? 0) <= now - MINUTE_MS) taken.delete(callerId)
    }
  }

  return {
    take(callerId) {
      const now = clock.monotonic()
      forgetOld(now)
      const moments = (taken.get(callerId) ?? []).filter((moment) => now - moment < MINUTE_MS)
      const isAllowed = moments.length < limit
      if (isAllowed) moments.push(now)
      taken.set(callerId, moments)
      const [oldest = now] = moments
      return {
        isAllowed,
        limit,
        remaining: limit - moments.length,
        // Subtracted in this order: with a fractional clock the sum could exceed a minute.
        resetSeconds: Math.ceil((MINUTE_MS - (now - oldest)) / SECOND_MS),
      }
    },
  }
}
