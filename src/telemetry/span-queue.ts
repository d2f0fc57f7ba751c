// Stored calls on their way to a collector. Must stay true: nobody waits for it, it has a bounded
// size, and every call that does not arrive is counted.

import type { Meter } from '../core/telemetry.ts'
import type { UsageRecord } from '../core/usage-record.ts'

export interface SpanQueueOptions {
  /** Null once the collector has them, else why not. Never rejects. */
  readonly send: (records: readonly UsageRecord[]) => Promise<string | null>
  readonly meter: Meter
  readonly recordsMax?: number
  readonly batchMax?: number
  /** How long the first record of a batch waits for others. */
  readonly delayMs?: number
}

export const QUEUE_RECORDS_MAX = 16_384
const BATCH_MAX = 512
const DELAY_MS = 1000

export class SpanQueue {
  readonly #options: Required<SpanQueueOptions>
  readonly #waiting: UsageRecord[] = []
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  /** Records that were sent and have no answer yet. */
  #underWay = 0
  #isClosed = false

  constructor(options: SpanQueueOptions) {
    this.#options = {
      recordsMax: QUEUE_RECORDS_MAX,
      batchMax: BATCH_MAX,
      delayMs: DELAY_MS,
      ...options,
    }
  }

  add(records: readonly UsageRecord[]): void {
    if (records.length === 0) return
    const { recordsMax, delayMs } = this.#options
    const room = this.#isClosed ? 0 : recordsMax - this.#waiting.length
    this.#waiting.push(...records.slice(0, room))
    this.#count(Math.max(0, records.length - room), 'queue_full')
    if (this.#sending !== null || this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#send(), delayMs)
  }

  /** Sends what waits for at most `timeoutMs`; what has not arrived then is dropped. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true
    const deadline = Promise.withResolvers<void>()
    const timer = setTimeout(deadline.resolve, timeoutMs)
    await Promise.race([this.#send(), deadline.promise])
    clearTimeout(timer)
    this.#count(this.#waiting.splice(0).length + this.#underWay, 'failed')
    this.#underWay = 0
  }

  #send(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waiting.length === 0) return this.#sending ?? Promise.resolve()
    this.#sending ??= this.#sendAll()
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    const { send, batchMax } = this.#options
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax)
      this.#underWay = batch.length
      const fault = await send(batch)
      this.#count(this.#underWay, fault === null ? 'exported' : 'failed')
      this.#underWay = 0
    }
    this.#sending = null
  }

  #count(records: number, result: 'exported' | 'failed' | 'queue_full'): void {
    if (records > 0) this.#options.meter.add('telemetrySpans', records, result)
  }
}
