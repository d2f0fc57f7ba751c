// So many requests a minute per token, in a window that slides. Must stay true: no stretch of a
// minute ever has more, and a caller that waits as long as the answer says is let pass.

import type { Clock } from '../core/clock.ts'

export interface RateState {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the oldest request counts no more; enough to wait, and no more. */
  readonly resetSeconds: number
}

export interface RateLimit {
  /** Counts a request unless it is one too many. */
  take(callerId: string): RateState
}

const MINUTE_MS = 60_000
const SECOND_MS = 1000

export function createRateLimit(limit: number, clock: Pick<Clock, 'monotonic'>): RateLimit {
  /** When each caller's requests of the last minute came, oldest first. */
  const taken = new Map<string, number[]>()
  let forgotAt = clock.monotonic()

  /** Callers who no longer ask are forgotten. */
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
        // The age first: a minute added to a clock that reads fractions may come back as more than
        // a minute.
        resetSeconds: Math.ceil((MINUTE_MS - (now - oldest)) / SECOND_MS),
      }
    },
  }
}
