// Feeds large pieces to a reader in parts, over several turns if need be, so that a worker's other
// streams go on. Must stay true: the bytes keep their order, and what waits is bounded.

import type { ByteBudget } from './byte-budget.ts'
import type { TurnTime } from './turn-time.ts'
import { WaitingBytes } from './waiting-bytes.ts'

export interface PacedFeedOptions {
  readonly turn: TurnTime
  readonly feed: (bytes: Uint8Array) => void
  /** Too much was waiting; it was dropped, and nothing more is fed. */
  readonly overflowed: () => void
  /** For what waits beyond this feed's own bytes; absent: none. */
  readonly budget?: ByteBudget
}

/** Less than this is not worth pacing: the slowest reader measured takes a millisecond for it. */
export const SLICE_BYTES = 8192
/** What is fed between two looks at the clock. */
export const STEP_BYTES = 2048

export class PacedFeed {
  readonly #options: PacedFeedOptions
  /** Copies: the feeder may reuse its memory. */
  #waiting: Uint8Array[] = []
  readonly #waitingBytes: WaitingBytes
  #isOver = false
  #isScheduled = false
  #fed: (() => void) | null = null

  constructor(options: PacedFeedOptions) {
    this.#options = options
    this.#waitingBytes = new WaitingBytes(options.budget ?? null)
  }

  feed(bytes: Uint8Array): void {
    if (this.#isOver) return
    if (this.#waiting.length > 0 || !this.#options.turn.hasLeft()) return this.#wait(bytes)
    const rest = this.#feedSome(bytes)
    if (rest.length > 0) this.#wait(rest)
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Drops what waits: nothing more is fed. */
  cancel(): void {
    this.#isOver = true
    this.#waiting = []
    this.#waitingBytes.clear()
    this.#settle()
  }

  /** Runs once all is fed, or nothing more will be; at once where nothing waits. */
  whenFed(done: () => void): void {
    if (this.#waiting.length === 0) done()
    else this.#fed = done
  }

  /** Returns what is left. */
  #feedSome(bytes: Uint8Array): Uint8Array {
    let at = 0
    do {
      this.#options.feed(bytes.subarray(at, at + STEP_BYTES))
      at += STEP_BYTES
    } while (at < bytes.length && this.#options.turn.hasLeft())
    return bytes.subarray(at)
  }

  #wait(bytes: Uint8Array): void {
    if (!this.#waitingBytes.add(bytes.length)) {
      this.#isOver = true
      this.#options.overflowed()
      return this.cancel()
    }
    if (this.#waiting.push(Buffer.from(bytes)) > 1 || this.#isScheduled) return
    this.#isScheduled = true
    this.#options.turn.later(() => this.#continue())
  }

  /** One step of what waits; true while more does. */
  #continue(): boolean {
    const piece = this.#waiting[0]
    if (piece !== undefined) {
      this.#options.feed(piece.subarray(0, STEP_BYTES))
      // The reader may have had enough, and what waited was dropped.
      if (this.#waiting[0] === piece) this.#passed(piece)
    }
    this.#isScheduled = this.#waiting.length > 0
    if (!this.#isScheduled) this.#settle()
    return this.#isScheduled
  }

  #passed(piece: Uint8Array): void {
    const rest = piece.subarray(STEP_BYTES)
    this.#waitingBytes.remove(piece.length - rest.length)
    if (rest.length > 0) this.#waiting[0] = rest
    else this.#waiting.shift()
  }

  #settle(): void {
    const fed = this.#fed
    this.#fed = null
    fed?.()
  }
}

/** At once where nothing was so large that it had to be paced. */
export function whenFed(feed: PacedFeed | null, done: () => void): void {
  if (feed === null) done()
  else feed.whenFed(done)
}
