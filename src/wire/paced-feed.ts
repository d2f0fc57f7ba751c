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

/** The slowest reader measured takes five milliseconds for this much. */
export const SLICE_BYTES = 8192

export class PacedFeed {
  readonly #options: PacedFeedOptions
  /** Copies: the feeder may reuse its memory. */
  #waiting: Uint8Array[] = []
  readonly #waitingBytes: WaitingBytes
  #isOver = false
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

  /** Returns what is left. Feeds at least a slice, so that all who share a turn make progress. */
  #feedSome(bytes: Uint8Array): Uint8Array {
    let at = 0
    do {
      this.#options.feed(bytes.subarray(at, at + SLICE_BYTES))
      at += SLICE_BYTES
    } while (at < bytes.length && this.#options.turn.hasLeft())
    return bytes.subarray(at)
  }

  #wait(bytes: Uint8Array): void {
    if (!this.#waitingBytes.add(bytes.length)) {
      this.#isOver = true
      this.#options.overflowed()
      return this.cancel()
    }
    if (this.#waiting.push(Buffer.from(bytes)) === 1) setImmediate(() => this.#continue())
  }

  #continue(): void {
    while (this.#waiting.length > 0) {
      const piece = this.#waiting[0] as Uint8Array
      const rest = this.#feedSome(piece)
      this.#waitingBytes.remove(piece.length - rest.length)
      if (rest.length > 0) this.#waiting[0] = rest
      else this.#waiting.shift()
      if (!this.#options.turn.hasLeft()) break
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#continue())
    else this.#settle()
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
