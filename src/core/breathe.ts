// Rests between the pieces of long work. Whoever works keeps its core for some milliseconds, of whatever priority it is,
// and a caller that is woken there waits as long, even beside a core that is free; whoever sleeps gives the core away at
// once. Must stay true: nothing but time depends on it.

import type { Clock } from './clock.ts'

/** Called between two pieces: rests for a moment when there was no rest for a while. */
export type Breathe = () => void

/** What a caller may wait for us: half of what a call itself takes. */
export const WORK_MS_MAX = 0.2
/** The system's timer makes a tenth of a millisecond of it. With half of that, callers wait as long as without. */
const REST_MS = 0.05

export const neverRest: Breathe = () => {}

export function createBreathe(clock: Pick<Clock, 'monotonic'>, rest = sleep): Breathe {
  let restedAt = clock.monotonic()
  return () => {
    if (clock.monotonic() - restedAt < WORK_MS_MAX) return
    rest()
    restedAt = clock.monotonic()
  }
}

const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(4))

/** The whole thread: a timer of the event loop waits ten times as long, and not within a transaction. */
function sleep(): void {
  Atomics.wait(NEVER_CHANGED, 0, 0, REST_MS)
}
