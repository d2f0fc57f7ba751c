// Texts kept for calls whose tokens may have to be counted from them. Must stay true: texts stay in
// memory, are bounded per call and per worker, and are dropped as soon as they are not needed.

import type { Meter } from '../core/telemetry.ts'
import { ByteBudget } from '../wire/byte-budget.ts'

export interface EstimateJob {
  /** Whose call it is: what waits is counted in turns of the keys. */
  readonly keyId: string | null
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

/** Calls back once, maybe at once; with null where the request has nothing that can be counted. */
export type Estimate = (job: EstimateJob, done: (tokens: EstimatedTokens | null) => void) => void

export interface EstimatesOptions {
  readonly estimate: Estimate
  readonly meter: Meter
  /** For all calls of this worker together. */
  readonly bytesMax?: number
}

const BYTES_MAX = 64 * 1024 * 1024
/** What one key may keep of that: large requests of its calls take nothing from other keys. */
const KEY_BYTES_MAX = BYTES_MAX / 4
/** For one call. A larger request is mostly images and files, whose tokens text cannot show. */
export const REQUEST_BYTES_MAX = 1024 * 1024
/** Minimum memory counted per piece: a sender of single bytes must not fill the worker. */
const PIECE_BYTES_MIN = 512

export class Estimates {
  readonly #estimate: Estimate
  readonly #meter: Meter
  readonly #budget: ByteBudget
  /** Bytes in use, by key. */
  readonly #used = new Map<string, number>()

  constructor(options: EstimatesOptions) {
    this.#estimate = options.estimate
    this.#meter = options.meter
    this.#budget = new ByteBudget(options.bytesMax ?? BYTES_MAX)
  }

  keep(keyId: string | null): KeptTexts {
    const owner = keyId ?? ''
    const budget: Budget = {
      take: (bytes) => {
        const used = (this.#used.get(owner) ?? 0) + bytes
        if (used > KEY_BYTES_MAX || !this.#budget.take(bytes)) return false
        this.#used.set(owner, used)
        return true
      },
      giveBack: (bytes) => {
        const used = (this.#used.get(owner) ?? 0) - bytes
        if (used > 0) this.#used.set(owner, used)
        else this.#used.delete(owner)
        this.#budget.giveBack(bytes)
      },
    }
    return new KeptTexts(budget, this.#meter)
  }

  /** Takes the texts over; they are dropped before `done` is called. */
  make(kept: KeptTexts, job: EstimateJob, done: (tokens: EstimatedTokens | null) => void): void {
    this.#estimate(job, (tokens) => {
      kept.drop()
      done(tokens)
    })
  }
}

type Budget = Pick<ByteBudget, 'take' | 'giveBack'>

/** What is kept of one call. Without its request, its text still shows what was produced. */
export class KeptTexts {
  readonly #budget: Budget
  readonly #meter: Meter
  #pieces: Uint8Array[] | null = []
  #isDropped = false
  #requestBytes = 0
  #textBytes = 0

  constructor(budget: Budget, meter: Meter) {
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
