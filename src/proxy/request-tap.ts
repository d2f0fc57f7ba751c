// The request's side of a tap: which model it names, what dimensions its body has, and what only it
// says of how the answer is billed.

import type { ModelReader, Reading } from '../providers/provider.ts'
import { PacedFeed, SLICE_BYTES, whenFed } from '../wire/paced-feed.ts'
import type { PacedFeedOptions } from '../wire/paced-feed.ts'

/** What may wait, and how much of a turn may be taken. */
type Pacing = Required<Pick<PacedFeedOptions, 'turn' | 'budget'>>

export class RequestTap {
  readonly #options: Pacing
  /** Null when it has read enough, or gave up. */
  #reader: ModelReader | null
  #ended: ModelReader | null = null
  /** Null until a piece comes that is large enough to take long. */
  #paced: PacedFeed | null = null
  model: string | null = null

  constructor(reader: ModelReader | null, options: Pacing) {
    this.#reader = reader
    this.#options = options
  }

  feed(bytes: Uint8Array): void {
    if (this.#reader === null) return
    if (bytes.length <= SLICE_BYTES && this.#paced === null) return this.#read(bytes)
    const { turn, budget } = this.#options
    this.#paced ??= new PacedFeed({
      turn,
      budget,
      feed: (piece) => this.#read(piece),
      // The answer is read nevertheless: it names the model as well.
      overflowed: () => (this.#reader = null),
    })
    this.#paced.feed(bytes)
  }

  whenFed(done: () => void): void {
    whenFed(this.#paced, done)
  }

  end(): void {
    const reader = this.#reader
    this.#reader = null
    if (reader === null) return
    this.model = reader.end()
    this.#ended = reader
  }

  /** After `end`. The reading, with what only the request says. */
  complete(reading: Reading, isWhole: boolean): Reading {
    return this.#ended?.complete?.(reading, isWhole) ?? reading
  }

  #read(bytes: Uint8Array): void {
    if (this.#reader?.feed(bytes) === true) this.end()
  }
}
