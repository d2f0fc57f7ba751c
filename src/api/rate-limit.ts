// A sliding limit of requests per minute and caller. Must stay true: no minute ever has more, and
// waiting as long as the answer says is enough.

import type { CounterStore } from '../store/settings/counter-store.ts'

export interface RateState {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the oldest request no longer counts. */
  readonly resetSeconds: number
}

export interface RateLimit {
  /** Counts a request unless it is one too many. */
  take(callerId: string): Promise<RateState>
}

const MINUTE_MS = 60_000
const SECOND_MS = 1000

/** One limit for each kind of caller. */
export function createRateLimit(
  group: 'token' | 'token log' | 'scim' | 'session',
  limit: number,
  counters: Pick<CounterStore, 'take'>,
): RateLimit {
  return {
    async take(callerId) {
      const window = { group, name: callerId, limit, windowMs: MINUTE_MS }
      const { isAllowed, count, resetMs } = await counters.take(window)
      const resetSeconds = Math.ceil(resetMs / SECOND_MS)
      return { isAllowed, limit, remaining: limit - count, resetSeconds }
    },
  }
}
