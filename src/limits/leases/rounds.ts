// Statements to the store of limits, one at a time: what is asked meanwhile goes into the next one.
// Must stay true: nobody waits for a store that does not answer; the next round finds out.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'

/** A worker waits for 250 ms in all. */
export const STORE_ANSWER_MS_MAX = 200
/** After a failure nobody waits for so long. */
export const RETRY_MS = 500

export interface RoundsOptions {
  readonly clock: Clock
  /** One statement. Its failure is passed on to `failed`. */
  readonly run: () => Promise<void>
  readonly failed: (error: unknown) => void
  readonly answerMsMax?: number | undefined
}

export class Rounds {
  readonly #options: RoundsOptions
  readonly #answerMsMax: number
  #next: PromiseWithResolvers<boolean> | null = null
  #startedAt: number | null = null
  #failedAt: number | null = null

  constructor(options: RoundsOptions) {
    this.#options = options
    this.#answerMsMax = options.answerMsMax ?? STORE_ANSWER_MS_MAX
  }

  /** The store has failed, or has not answered for too long. */
  get isSilent(): boolean {
    const nowMs = this.#options.clock.monotonic()
    if (this.#startedAt !== null && nowMs - this.#startedAt >= this.#answerMsMax) return true
    return this.#failedAt !== null && nowMs - this.#failedAt < RETRY_MS
  }

  /** Resolves when a round that began after now has ended: whether it was answered. */
  next(): Promise<boolean> {
    if (this.#next === null) {
      this.#next = Promise.withResolvers()
      if (this.#startedAt === null) setImmediate(() => void this.#run())
    }
    return this.#next.promise
  }

  /** As `next`, and false when the answer takes too long. */
  async nextInTime(): Promise<boolean> {
    if (this.isSilent) return false
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#answerMsMax)
    })
    try {
      return await Promise.race([this.next(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #run(): Promise<void> {
    const { clock, run, failed } = this.#options
    while (this.#next !== null) {
      const waiting = this.#next
      this.#next = null
      this.#startedAt = clock.monotonic()
      try {
        await run()
        this.#failedAt = null
        waiting.resolve(true)
      } catch (error) {
        this.#failedAt = clock.monotonic()
        failed(error)
        waiting.resolve(false)
      }
      // Whoever waited takes what it asked for before the next round gives back what is unused.
      await nextTurn()
    }
    this.#startedAt = null
  }
}
