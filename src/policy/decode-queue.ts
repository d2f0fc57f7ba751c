// Decodes the bodies that wait for a policy, a few at a time and one of each key. Must stay true: a
// key with many of them delays its own calls only, and windows count as what a worker buffers.

import type { Clock } from '../core/clock.ts'
import type { ByteBudget } from '../wire/byte-budget.ts'
import { createStrictDecoder, windowBytesOf } from '../wire/http/strict-decoder.ts'
import type { DecodeResult, StrictDecoder } from '../wire/http/strict-decoder.ts'
import { TurnTime } from '../wire/turn-time.ts'

export interface DecodeJob {
  readonly keyId: string
  readonly codings: readonly string[]
  /** Limit of decoded bytes. */
  readonly bytesMax: number
  /** The whole body; asked for a piece at a time, once it is its turn. */
  pieces(): Iterator<Buffer>
  /** Returns false to receive nothing more until `resume`. */
  output(bytes: Buffer): boolean
  /** Called once, unless it was cancelled before. */
  done(result: DecodeResult): void
}

/** The threads that decode also write the journal and look up names. */
const DECODERS_MAX = 2
/** For all bodies that are read before they go on: less than other readers have. */
const TURN_MS = 0.5
/** Of one key. Each takes a connection, of which all keys have a number together. */
export const DECODES_WAITING_MAX = 1000

export class DecodeQueue {
  /** For reading bodies, decoded or plain. */
  readonly turn: TurnTime
  readonly #budget: ByteBudget
  /** The key that has waited longest is first. */
  readonly #waiting = new Map<string, Set<Decoding>>()
  /** By key. */
  readonly #running = new Map<string, Decoding>()

  constructor(budget: ByteBudget, clock: Clock) {
    this.#budget = budget
    this.turn = new TurnTime(clock, TURN_MS)
  }

  /** Null when too many of its key wait already. */
  add(job: DecodeJob): Decoding | null {
    const { keyId } = job
    const others = this.#waiting.get(keyId) ?? new Set()
    if (others.size === DECODES_WAITING_MAX) return null
    const decoding = new Decoding(job, () => this.#ended(decoding))
    this.#waiting.set(keyId, others.add(decoding))
    this.#startNext()
    return decoding
  }

  #startNext(): void {
    for (const [keyId, decodings] of this.#waiting) {
      if (this.#running.size === DECODERS_MAX) return
      if (this.#running.has(keyId)) continue
      const [first] = decodings
      if (first === undefined || !this.#charge(first)) return
      this.#remove(first)
      // Other keys are before its next one.
      if (this.#waiting.delete(keyId) && decodings.size > 0) this.#waiting.set(keyId, decodings)
      this.#running.set(keyId, first)
      first.start()
    }
  }

  /** One is always decoded, or a small budget would keep all compressed bodies out for good. */
  #charge(decoding: Decoding): boolean {
    if (this.#budget.take(decoding.windowBytes)) decoding.chargedBytes = decoding.windowBytes
    return decoding.chargedBytes > 0 || this.#running.size === 0
  }

  #ended(decoding: Decoding): void {
    const { keyId } = decoding.job
    if (this.#running.get(keyId) === decoding) this.#running.delete(keyId)
    else this.#remove(decoding)
    this.#budget.giveBack(decoding.chargedBytes)
    decoding.chargedBytes = 0
    // Not at once: a thousand broken ones would be a call within a call each.
    setImmediate(() => this.#startNext())
  }

  #remove(decoding: Decoding): void {
    const { keyId } = decoding.job
    const decodings = this.#waiting.get(keyId)
    decodings?.delete(decoding)
    if (decodings?.size === 0) this.#waiting.delete(keyId)
  }
}

export class Decoding {
  readonly job: DecodeJob
  readonly windowBytes: number
  chargedBytes = 0
  readonly #ended: () => void
  #decoder: StrictDecoder | null = null
  #pieces: Iterator<Buffer> | null = null
  #isOver = false

  constructor(job: DecodeJob, ended: () => void) {
    this.job = job
    this.windowBytes = windowBytesOf(job.codings)
    this.#ended = ended
  }

  start(): void {
    const { codings, bytesMax } = this.job
    this.#pieces = this.job.pieces()
    this.#decoder = createStrictDecoder({
      codings,
      bytesMax,
      output: (bytes) => this.job.output(bytes),
      drained: () => this.#feed(),
      done: (result) => {
        this.#end()
        this.job.done(result)
      },
    })
    this.#feed()
  }

  resume(): void {
    this.#decoder?.resume()
  }

  cancel(): void {
    if (this.#isOver) return
    this.#decoder?.cancel()
    this.#end()
  }

  #feed(): void {
    while (!this.#isOver) {
      const next = this.#pieces?.next()
      if (next === undefined || next.done === true) return this.#decoder?.end()
      if (this.#decoder?.feed(next.value) === false) return
    }
  }

  #end(): void {
    this.#isOver = true
    this.#pieces = null
    this.#ended()
  }
}
