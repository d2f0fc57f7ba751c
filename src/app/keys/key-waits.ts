// Calls with a key that is not known, or not with their secret: it may have been made or changed a
// moment ago, so they wait for the next reading of the settings, which begins early for them. Must
// stay true: made-up keys cost a few readings a second, and no call waits longer than WAIT_MS_MAX.

import type { ApiKey } from '../../core/api-key.ts'
import type { Clock } from '../../core/clock.ts'
import type { Meter } from '../../core/telemetry.ts'

export interface KeyWaitsOptions {
  readonly find: (id: string) => ApiKey | undefined
  readonly clock: Clock
  readonly meter: Meter
}

export interface KeyWait {
  readonly id: string
  /** As it was known when the wait began: the same object later means that nothing has changed. */
  readonly before: ApiKey | undefined
  readonly timer: NodeJS.Timeout
  readonly resolve: () => void
}

export const WAIT_MS_MAX = 250
/** In a worker, at once. */
export const WAITS_MAX = 1000
/** Readings that begin early: so many at once, and in the long run so many a second. */
export const EARLY_READINGS_MAX = 5
const EARLY_READING_MS = 1000 / EARLY_READINGS_MAX
/** An id that was waited for in vain is refused at once for so long. */
export const REFUSED_MS = 1000
export const REFUSED_IDS_MAX = 10_000

export class KeyWaits {
  readonly #options: KeyWaitsOptions
  readonly #waits = new Set<KeyWait>()
  /** Of these, those that no reading has begun for. */
  readonly #next = new Set<KeyWait>()
  /** Ids that were waited for in vain, and until when they are refused; the oldest first. */
  readonly #refused = new Map<string, number>()
  /** When all early readings would be free again. */
  #freeAt = -Infinity

  constructor(options: KeyWaitsOptions) {
    this.#options = options
  }

  /** Resolves after the reading, or when its time is up. Null for a key that is refused at once. */
  add(id: string): Promise<void> | null {
    const { find, clock, meter } = this.#options
    const until = this.#refused.get(id)
    if (until !== undefined && clock.monotonic() < until) return null
    if (this.#waits.size >= WAITS_MAX) {
      meter.add('limitsHit', 1, 'key_waits')
      return null
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end(wait), WAIT_MS_MAX)
      const wait: KeyWait = { id, before: find(id), timer, resolve }
      this.#waits.add(wait)
      this.#next.add(wait)
    })
  }

  /** When the next reading may begin for those that wait; infinite where none does. */
  get dueInMs(): number {
    if (this.#next.size === 0) return Infinity
    const spareMs = EARLY_READING_MS * (EARLY_READINGS_MAX - 1)
    return Math.max(0, this.#freeAt - spareMs - this.#options.clock.monotonic())
  }

  /** A reading begins. To be ended with what it returns. */
  begin(): readonly KeyWait[] {
    const served = [...this.#next]
    this.#next.clear()
    if (served.length > 0) {
      this.#freeAt = Math.max(this.#freeAt, this.#options.clock.monotonic()) + EARLY_READING_MS
    }
    return served
  }

  end(served: Iterable<KeyWait> = this.#waits): void {
    for (const wait of served) this.#end(wait)
  }

  #end(wait: KeyWait): void {
    if (!this.#waits.delete(wait)) return
    this.#next.delete(wait)
    clearTimeout(wait.timer)
    if (this.#options.find(wait.id) === wait.before) this.#refuse(wait.id)
    wait.resolve()
  }

  #refuse(id: string): void {
    const nowMs = this.#options.clock.monotonic()
    this.#refused.delete(id)
    this.#refused.set(id, nowMs + REFUSED_MS)
    for (const [oldest, until] of this.#refused) {
      if (until > nowMs && this.#refused.size <= REFUSED_IDS_MAX) break
      this.#refused.delete(oldest)
    }
  }
}
