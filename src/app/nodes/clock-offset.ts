// How far this machine's clock is off, measured now and again against the database's. Calls are
// dated by it, so an operator has to know.

import type { Clock } from '../../core/clock.ts'
import { CLOCK_OFFSET_MS_MAX } from '../../store/nodes/node-store.ts'
import type { NodeStore } from '../../store/nodes/node-store.ts'

export interface ClockOffset {
  /** Ahead of the database; null until it was measured. */
  readonly ms: () => number | null
  /** In a sentence; null while it is right. */
  readonly warning: () => string | null
  /** True where it was due, and is measured. */
  measure(store: Pick<NodeStore, 'measureOffsetMs'>): Promise<boolean>
}

const MEASURE_MS = 10_000

export function createClockOffset(options: {
  readonly clock: Clock
  readonly say: (line: string) => void
}): ClockOffset {
  const { clock, say } = options
  let ms: number | null = null
  let measuredAt = -Infinity
  const warning = (): string | null => (ms === null ? null : describeOffset(ms))
  return {
    ms: () => ms,
    warning,
    async measure(store) {
      if (clock.monotonic() - measuredAt < MEASURE_MS) return false
      const wasRight = warning() === null
      ms = await store.measureOffsetMs(() => clock.now())
      measuredAt = clock.monotonic()
      const text = warning()
      if (text !== null && wasRight) say(text)
      return true
    },
  }
}

/** How far the clock is ahead of the database's, in a sentence; null where that is little. */
export function describeOffset(ms: number): string | null {
  if (Math.abs(ms) <= CLOCK_OFFSET_MS_MAX) return null
  const side = ms > 0 ? 'ahead of' : 'behind'
  const seconds = (Math.abs(ms) / 1000).toFixed(1)
  return `This machine's clock is ${seconds} s ${side} the database's, and calls are dated by it: set it by NTP.`
}
