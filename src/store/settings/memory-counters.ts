// Counts in the memory of one process: all there is where one process serves the API, and what a
// node counts by itself while a database is away. Must stay true: its memory is limited, however
// many names are made up.

import type { Clock } from '../../core/clock.ts'
import type { Bucket, CounterStore, CountedWindow, WindowCount } from './counter-store.ts'

/** In each group. */
const NAMES_MAX = 10_000
const FORGET_EVERY_MS = 60_000

interface Entry {
  /** Of a window, oldest first. */
  readonly moments: readonly number[]
  /** From then on it counts for nothing. Of a bucket, it says how many are in it. */
  readonly endsAt: number
}

const NOTHING: Entry = { moments: [], endsAt: -Infinity }

export function createMemoryCounters(clock: Pick<Clock, 'monotonic'>): CounterStore {
  const groups = new Map<string, Map<string, Entry>>()
  let forgotAt = clock.monotonic()

  function find({ group, name }: Pick<Bucket, 'group' | 'name'>): Entry {
    return groups.get(group)?.get(name) ?? NOTHING
  }

  /** A map keeps the order in which its keys were set, so the oldest is forgotten first. */
  function put({ group, name }: Pick<Bucket, 'group' | 'name'>, entry: Entry): void {
    const entries = groups.get(group) ?? new Map<string, Entry>()
    groups.set(group, entries)
    entries.delete(name)
    const [oldest] = entries.keys()
    if (entries.size >= NAMES_MAX && oldest !== undefined) entries.delete(oldest)
    entries.set(name, entry)
  }

  function forgetOld(now: number): void {
    if (now - forgotAt < FORGET_EVERY_MS) return
    forgotAt = now
    for (const entries of groups.values()) {
      for (const [name, { endsAt }] of entries) if (endsAt <= now) entries.delete(name)
    }
  }

  function take(window: CountedWindow): WindowCount {
    const { limit, windowMs } = window
    const now = clock.monotonic()
    forgetOld(now)
    const kept = find(window).moments.filter((moment) => now - moment < windowMs)
    const isAllowed = kept.length < limit
    const moments = isAllowed ? [...kept, now] : kept
    put(window, { moments, endsAt: now + windowMs })
    const [oldest = now] = moments
    // Subtracted in this order: with a fractional clock the sum could exceed the window.
    return { isAllowed, count: moments.length, resetMs: windowMs - (now - oldest) }
  }

  function fill(buckets: readonly Bucket[]): number {
    const now = clock.monotonic()
    forgetOld(now)
    const waits = buckets.map(
      (bucket) => find(bucket).endsAt - now - (bucket.size - 1) * bucket.everyMs,
    )
    const waitMs = Math.max(0, ...waits)
    if (waitMs > 0) return waitMs
    for (const bucket of buckets) {
      const endsAt = Math.max(find(bucket).endsAt, now) + bucket.everyMs
      put(bucket, { moments: [], endsAt })
    }
    return 0
  }

  return {
    take: async (window) => take(window),
    fill: async (buckets) => fill(buckets),
    async giveBack(bucket, what) {
      const entries = groups.get(bucket.group)
      const entry = entries?.get(bucket.name)
      if (entries === undefined || entry === undefined) return
      if (what === 'all') entries.delete(bucket.name)
      else entries.set(bucket.name, { ...entry, endsAt: entry.endsAt - bucket.everyMs })
    },
  }
}
