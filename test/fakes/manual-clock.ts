// A clock that stands still until a test lets time pass. Limits that are measured by it are reached
// when the test says so, on a slow machine and on a fast one.

import type { Clock } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/clock.ts'

export interface ManualClock extends Clock {
  /**
   * Resolves once limits have been checked twice since: what came before this has been seen by
   * then.
   */
  readonly pass: (ms: number) => Promise<void>
}

export function createManualClock(): ManualClock {
  let passedMs = 0
  let looks = 0
  return {
    now: () => systemClock.now(),
    monotonic: () => {
      looks += 1
      return passedMs
    },
    pass: async (ms) => {
      passedMs += ms
      const enough = looks + 2
      while (looks < enough) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
