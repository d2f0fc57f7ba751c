// Checks everything with a time limit, a few times within the shortest one. One timer for thousands
// of connections: setting and clearing one for each step of each call costs far more.

import type { Clock } from '../core/clock.ts'

export interface Expiring {
  /** Ends itself if its time is up; `nowMs` is monotonic. */
  checkDeadline(nowMs: number): void
}

export interface Deadlines {
  readonly add: (item: Expiring) => void
  readonly delete: (item: Expiring) => void
  /** When a limit that begins now ends. Never early: it adds a pause to the last check's time. */
  readonly until: (limitMs: number) => number
  readonly close: () => void
}

const TICK_MS_MIN = 5
const TICK_MS_MAX = 1000
/** A limit is overrun by half of it at the most. */
const TICKS_PER_LIMIT = 4

export function openDeadlines(limitsMs: readonly number[], clock: Clock): Deadlines {
  const items = new Set<Expiring>()
  const shortest = Math.min(...limitsMs) / TICKS_PER_LIMIT
  const tickMs = Math.max(TICK_MS_MIN, Math.min(TICK_MS_MAX, shortest))
  let nowMs = clock.monotonic()
  const timer = setInterval(() => {
    nowMs = clock.monotonic()
    for (const item of items) item.checkDeadline(nowMs)
  }, tickMs)
  timer.unref()
  return {
    add: (item) => void items.add(item),
    delete: (item) => void items.delete(item),
    until: (limitMs) => nowMs + tickMs + limitMs,
    close: () => clearInterval(timer),
  }
}
