// How many refused calls of a key are kept as records: so many a minute in each worker; the others
// are counted. A refusal costs its caller nothing, so nothing else keeps it from filling the disk.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'

export interface RefusalQuotaOptions {
  readonly perMinute: number
  readonly clock: Clock
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

const MINUTE_MS = 60_000

export class RefusalQuota {
  readonly #options: RefusalQuotaOptions
  /** Of this minute, by key. Only keys whose secret was right get here. */
  readonly #refused = new Map<string, number>()
  #minuteEndsAt: number

  constructor(options: RefusalQuotaOptions) {
    this.#options = options
    this.#minuteEndsAt = options.clock.monotonic() + MINUTE_MS
  }

  /** Whether one more refused call of this key is recorded. If not, it is counted here. */
  take(keyId: string): boolean {
    const { perMinute, clock, meter } = this.#options
    this.checkDeadline(clock.monotonic())
    const refused = (this.#refused.get(keyId) ?? 0) + 1
    this.#refused.set(keyId, refused)
    if (refused <= perMinute) return true
    meter.add('refusalsUnrecorded', 1)
    return false
  }

  checkDeadline(nowMs: number): void {
    if (nowMs < this.#minuteEndsAt) return
    this.#minuteEndsAt = nowMs + MINUTE_MS
    this.#startOver()
  }

  close(): void {
    this.#startOver()
  }

  /** The log says for each key what the records do not. */
  #startOver(): void {
    const { perMinute, warn } = this.#options
    for (const [keyId, refused] of this.#refused) {
      if (refused <= perMinute) continue
      const fields = { keyId, recorded: perMinute, unrecorded: refused - perMinute }
      warn(fields, 'more calls of this key were refused in a minute than journal.refusalsPerMinute')
    }
    this.#refused.clear()
  }
}
