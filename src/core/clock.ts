// The only source of time. Tests hand in their own clock.

export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
  /** Milliseconds on a clock that never jumps; for durations only. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
