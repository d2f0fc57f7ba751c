// Keeps a request's body while its models are read, where not all of them may be used, and sends it
// on afterwards. Must stay true: what goes on is what came, byte for byte, framing included;
// reading concerns a copy with the framing and the content codings taken off.

import type { Socket } from 'node:net'

import { UNREADABLE } from '../providers/provider.ts'
import type { NamesFound } from '../providers/provider.ts'
import { createStrictDecoder } from '../wire/http/strict-decoder.ts'
import type { DecodeResult, StrictDecoder } from '../wire/http/strict-decoder.ts'
import type { ByteBudget } from '../wire/byte-budget.ts'
import { PacedFeed, SLICE_BYTES } from '../wire/paced-feed.ts'
import { judgeNames, refuseBodySize } from './policy.ts'
import type { BodyReading, CallPolicy, PolicyServices } from './policy.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { TurnTime } from '../wire/turn-time.ts'

export interface BodyBufferOptions {
  readonly policy: CallPolicy
  readonly services: PolicyServices
  readonly budget: ByteBudget
  readonly turn: TurnTime
  /** It takes bytes again after a `take` that returned false. */
  readonly drained: () => void
  /** Told once, unless it was released before: null lets the call go on. */
  readonly judged: (refusal: Refusal | null) => void
}

/**
 * Smaller pieces are copied together: a sender of single bytes must not cost a hundred for each.
 */
const PIECE_BYTES_MIN = 4096
const BLOCK_BYTES = 16_384
/** What goes to the upstream in one turn of the event loop, so that other calls get theirs. */
const TURN_BYTES_MAX = 262_144
const NOTHING = Buffer.alloc(0)

export class BodyBuffer {
  readonly #reading: BodyReading
  readonly #setting: BodyBufferOptions
  readonly #decoder: StrictDecoder
  readonly #paced: PacedFeed
  #pieces: Buffer[] = []
  /** Small pieces, copied together. */
  #block: Buffer = NOTHING
  #blockBytes = 0
  #takenBytes = 0
  #hasOverflowed = false
  #isWaiting = true
  #isSending = false

  constructor(reading: BodyReading, setting: BodyBufferOptions) {
    this.#reading = reading
    this.#setting = setting
    this.#decoder = createStrictDecoder({
      codings: reading.codings,
      bytesMax: setting.services.limits.policyBodyBytesMax,
      output: (bytes) => this.#offer(bytes),
      drained: setting.drained,
      done: (result) => this.#paced.whenFed(() => this.#decoded(result)),
    })
    this.#paced = new PacedFeed({
      turn: setting.turn,
      feed: (bytes) => this.#read(bytes),
      overflowed: () => {
        this.#hasOverflowed = true
      },
    })
  }

  /** True until the call was judged or is over. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** True once all of it was sent. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#blockBytes === 0
  }

  /** `raw` is kept, `payload` is read; false asks for a pause. Both must stay as they are. */
  take(raw: Buffer, payload: Buffer): boolean {
    if (!this.#isWaiting) return true
    const { services, budget } = this.#setting
    if (this.#takenBytes + raw.length > services.limits.policyBodyBytesMax) {
      this.#settle(refuseBodySize(this.#setting.policy, services))
      return true
    }
    if (!budget.take(raw.length)) {
      this.#settle(this.#refuseNow())
      return true
    }
    this.#takenBytes += raw.length
    this.#keep(raw)
    return payload.length === 0 || this.#decoder.feed(payload)
  }

  /** All of it has come. */
  end(): void {
    this.#decoder.end()
  }

  /** What waits to be sent. */
  get waiting(): readonly Buffer[] {
    this.#closeBlock()
    return this.#pieces
  }

  /** The first bytes, to go out with the head. */
  takeFirst(): Buffer[] {
    this.#closeBlock()
    return this.#takePieces()
  }

  /** Sends what is left, part by part; to be called again whenever the socket is drained. */
  send(socket: Socket): void {
    if (this.isEmpty) return this.release()
    if (this.#isSending) return
    this.#isSending = true
    setImmediate(() => {
      this.#isSending = false
      let hasRoom = true
      for (const piece of this.#takePieces()) hasRoom = socket.write(piece)
      if (hasRoom || this.isEmpty) this.send(socket)
    })
  }

  /** The call is over, or all of it was sent. */
  release(): void {
    if (this.#isWaiting) this.#decoder.cancel()
    this.#isWaiting = false
    this.#pieces = []
    this.#block = NOTHING
    this.#blockBytes = 0
    this.#setting.budget.giveBack(this.#takenBytes)
    this.#takenBytes = 0
  }

  #takePieces(): Buffer[] {
    let bytes = 0
    let count = 0
    for (const piece of this.#pieces) {
      bytes += piece.length
      if (count > 0 && bytes > TURN_BYTES_MAX) break
      count++
    }
    return this.#pieces.splice(0, count)
  }

  #keep(bytes: Buffer): void {
    if (this.#blockBytes + bytes.length <= this.#block.length) {
      this.#blockBytes += bytes.copy(this.#block, this.#blockBytes)
      return
    }
    this.#closeBlock()
    // Most bodies come whole, in one piece that may be small: only those that do not get a block.
    if (bytes.length >= PIECE_BYTES_MIN || this.#pieces.length === 0) {
      this.#pieces.push(bytes)
    } else {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
      this.#blockBytes = bytes.copy(this.#block)
    }
  }

  #closeBlock(): void {
    if (this.#blockBytes > 0) this.#pieces.push(this.#block.subarray(0, this.#blockBytes))
    this.#block = NOTHING
    this.#blockBytes = 0
  }

  /**
   * A reader may take long over large pieces: the rest of one waits for later turns, and the caller
   * with it.
   */
  #offer(bytes: Buffer): boolean {
    if (bytes.length <= SLICE_BYTES && !this.#paced.isWaiting) this.#read(bytes)
    else this.#paced.feed(bytes)
    if (!this.#paced.isWaiting) return true
    this.#paced.whenFed(() => {
      this.#decoder.resume()
      if (this.#reading.codings.length === 0) this.#setting.drained()
    })
    return false
  }

  #read(bytes: Uint8Array): void {
    if (this.#hasOverflowed || !this.#isWaiting) return
    this.#reading.reader.feed(bytes)
  }

  #decoded(result: DecodeResult): void {
    const { services, policy } = this.#setting
    switch (result) {
      case 'intact': {
        const found = this.#hasOverflowed ? UNREADABLE : this.#reading.reader.end()
        return this.#settle(judgeNames(found, policy))
      }
      case 'broken':
        return this.#settle(judgeNames(unreadable('its Content-Encoding is broken'), policy))
      case 'too-large':
        return this.#settle(refuseBodySize(policy, services))
    }
  }

  #settle(refusal: Refusal | null): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#decoder.cancel()
    this.#setting.judged(refusal)
  }

  #refuseNow(): Refusal {
    this.#setting.services.meter.add('limitsHit', 1, 'policy_held_bytes')
    const message =
      'Too many requests whose models have to be known are being read right now. Try again in a moment.'
    return { ...refuse('overloaded', message), retryAfterSeconds: 1 }
  }
}

function unreadable(reason: string): NamesFound {
  return { kind: 'unreadable', reason }
}
