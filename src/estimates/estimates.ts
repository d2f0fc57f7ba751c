// Texts kept for calls whose tokens may have to be counted from them. Must stay true: texts stay in
// memory, are bounded per call and per worker, and are dropped as soon as they are not needed.

import type { Meter } from '../core/telemetry.ts'
import { ByteBudget } from '../wire/byte-budget.ts'

export interface EstimateJob {
  /** The model that ran, or else the one asked for. */
  readonly model: string | null
  /** The request's body, in the content codings it came in; null where its tokens are known. */
  readonly request: readonly Uint8Array[] | null
  readonly coding: string | null
  /** What was produced, as it stood in JSON, escapes included. */
  readonly text: string
}

export interface EstimatedTokens {
  readonly input: number
  readonly output: number
  /** More was used than text shows: pictures in the request, or reasoning that it asked for. */
  readonly isPartial?: true
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
/** For one call. A larger request is mostly images and files, whose tokens text cannot show. */
export const REQUEST_BYTES_MAX = 1024 * 1024
/** Minimum memory counted per piece: a sender of single bytes must not fill the worker. */
const PIECE_BYTES_MIN = 512

export class Estimates {
  readonly #estimate: Estimate
  readonly #meter: Meter
  readonly #budget: ByteBudget

  constructor(options: EstimatesOptions) {
    this.#estimate = options.estimate
    this.#meter = options.meter
    this.#budget = new ByteBudget(options.bytesMax ?? BYTES_MAX)
  }

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

/** What is kept of one call. Without its request, its text still shows what was produced. */
export class KeptTexts {
  readonly #budget: ByteBudget
  readonly #meter: Meter
  #pieces: Uint8Array[] | null = []
  #isDropped = false
  #requestBytes = 0
  #textBytes = 0

  constructor(budget: ByteBudget, meter: Meter) {
    this.#budget = budget
    this.#meter = meter
  }

  /** Null once dropped, or where it is too large. */
  get request(): readonly Uint8Array[] | null {
    return this.#pieces
  }

  get isDropped(): boolean {
    return this.#isDropped
  }

  /** Keeps a reference: the memory of a caller's bytes is never reused. */
  addRequest(bytes: Uint8Array): void {
    if (this.#pieces === null) return
    const size = Math.max(bytes.length, PIECE_BYTES_MIN)
    if (this.#requestBytes + size > REQUEST_BYTES_MAX || !this.#budget.take(size)) {
      this.#meter.add('limitsHit', 1, 'estimate_bytes')
      this.dropRequest()
    } else {
      this.#requestBytes += size
      this.#pieces.push(bytes)
    }
  }

  /** Reports how many bytes of text the reader keeps by now. */
  setTextBytes(bytes: number): void {
    if (this.#isDropped || bytes === this.#textBytes) return
    const more = bytes - this.#textBytes
    if (more > 0 && !this.#budget.take(more)) {
      this.#meter.add('limitsHit', 1, 'estimate_bytes')
      this.drop()
      return
    }
    if (more < 0) this.#budget.giveBack(-more)
    this.#textBytes = bytes
  }

  dropRequest(): void {
    if (this.#pieces === null) return
    this.#pieces = null
    this.#budget.giveBack(this.#requestBytes)
  }

  drop(): void {
    if (this.#isDropped) return
    this.#isDropped = true
    this.dropRequest()
    this.#budget.giveBack(this.#textBytes)
  }
}
