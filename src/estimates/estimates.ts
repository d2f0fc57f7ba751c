// What is kept of calls whose tokens may have to be counted from their texts, and who counts them.
// Must stay true: texts are kept in memory alone, bounded for each call and for all of a worker's,
// and are dropped as soon as it is known that they are not needed.

import type { Meter } from '../core/telemetry.ts'
import { ByteBudget } from '../wire/byte-budget.ts'

export interface EstimateJob {
  /** The model that ran, or else was asked for. */
  readonly model: string | null
  /** The request's body, in the codings in which it came. */
  readonly request: readonly Uint8Array[]
  /** The value of the request's Content-Encoding. */
  readonly coding: string | null
  /** What was produced, as it stood in JSON, escapes and all. */
  readonly text: string
}

export interface EstimatedTokens {
  readonly input: number
  readonly output: number
}

/** Calls back once, maybe at once; with null where no estimate could be made. */
export type Estimate = (job: EstimateJob, done: (tokens: EstimatedTokens | null) => void) => void

export interface EstimatesOptions {
  readonly estimate: Estimate
  readonly meter: Meter
  /** For all calls of this worker together. */
  readonly bytesMax?: number
}

const BYTES_MAX = 64 * 1024 * 1024
/**
 * For one call's request. A larger one is mostly images and files, whose tokens cannot be counted
 * from text.
 */
export const REQUEST_BYTES_MAX = 1024 * 1024
/**
 * What a piece takes in memory beside its bytes, at least: a sender of single bytes must not fill
 * it.
 */
const PIECE_BYTES_MIN = 512

/** One for each worker. */
export class Estimates {
  readonly #estimate: Estimate
  readonly #meter: Meter
  readonly #budget: ByteBudget

  constructor(options: EstimatesOptions) {
    this.#estimate = options.estimate
    this.#meter = options.meter
    this.#budget = new ByteBudget(options.bytesMax ?? BYTES_MAX)
  }

  /** For one call. */
  keep(): KeptTexts {
    return new KeptTexts(this.#budget, this.#meter)
  }

  /** Takes the texts over; they are dropped before `done` is called. */
  make(kept: KeptTexts, job: EstimateJob, done: (tokens: EstimatedTokens | null) => void): void {
    this.#estimate(job, (tokens) => {
      kept.drop()
      done(tokens)
    })
  }
}

/**
 * What is kept of one call. Once something had no room, nothing is: an estimate of a part is none.
 */
export class KeptTexts {
  readonly #budget: ByteBudget
  readonly #meter: Meter
  #pieces: Uint8Array[] | null = []
  #requestBytes = 0
  #textBytes = 0

  constructor(budget: ByteBudget, meter: Meter) {
    this.#budget = budget
    this.#meter = meter
  }

  /** Null once it was dropped. */
  get request(): readonly Uint8Array[] | null {
    return this.#pieces
  }

  /** Keeps a reference: the memory of a caller's bytes is never used again. */
  addRequest(bytes: Uint8Array): void {
    if (this.#pieces === null) return
    const size = Math.max(bytes.length, PIECE_BYTES_MIN)
    if (this.#requestBytes + size > REQUEST_BYTES_MAX || !this.#budget.take(size)) {
      this.#overflow()
    } else {
      this.#requestBytes += size
      this.#pieces.push(bytes)
    }
  }

  /** The reader keeps so many bytes of text by now. */
  setTextBytes(bytes: number): void {
    if (this.#pieces === null || bytes === this.#textBytes) return
    const more = bytes - this.#textBytes
    if (more > 0 && !this.#budget.take(more)) return this.#overflow()
    if (more < 0) this.#budget.giveBack(-more)
    this.#textBytes = bytes
  }

  drop(): void {
    if (this.#pieces === null) return
    this.#pieces = null
    this.#budget.giveBack(this.#requestBytes + this.#textBytes)
  }

  #overflow(): void {
    this.#meter.add('limitsHit', 1, 'estimate_bytes')
    this.drop()
  }
}
