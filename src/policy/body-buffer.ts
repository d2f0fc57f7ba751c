// Keeps a request's body while its models are read, where not all of them may be used, and then
// sends it on. Must stay true: it goes on byte for byte, framing included; only a copy is decoded.

import type { Socket } from 'node:net'

import { UNREADABLE } from '../providers/provider.ts'
import type { NamesFound } from '../providers/provider.ts'
import { BodyScanner } from '../wire/http/body-scanner.ts'
import type { BodyFraming } from '../wire/http/http-head.ts'
import type { DecodeResult } from '../wire/http/strict-decoder.ts'
import type { ByteBudget } from '../wire/byte-budget.ts'
import { PacedFeed, STEP_BYTES } from '../wire/paced-feed.ts'
import type { DecodeQueue, Decoding } from './decode-queue.ts'
import { judgeNames, refuseBodySize } from './policy.ts'
import type { BodyReading, CallPolicy, PolicyServices } from './policy.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export interface BodyBufferOptions {
  readonly policy: CallPolicy
  readonly services: PolicyServices
  readonly framing: BodyFraming
  readonly budget: ByteBudget
  readonly decodes: DecodeQueue
  /** It takes bytes again after a `take` that returned false. */
  readonly drained: () => void
  /** Called once, unless it was released before: null lets the call go on. */
  readonly judged: (refusal: Refusal | null) => void
}

/** Smaller pieces are copied together, or single bytes would cost a hundred each. */
const PIECE_BYTES_MIN = 4096
const BLOCK_BYTES = 16_384
/** What goes to the upstream in one turn of the event loop, so that other calls get theirs. */
const TURN_BYTES_MAX = 262_144
const NOTHING = Buffer.alloc(0)

export class BodyBuffer {
  readonly #reading: BodyReading
  readonly #setting: BodyBufferOptions
  /** Null for a body that is not compressed, and until it is whole. */
  #decoding: Decoding | null = null
  readonly #paced: PacedFeed
  #pieces: Buffer[] = []
  #block: Buffer = NOTHING
  #blockBytes = 0
  #takenBytes = 0
  #hasOverflowed = false
  #isWaiting = true
  #isSending = false

  constructor(reading: BodyReading, setting: BodyBufferOptions) {
    this.#reading = reading
    this.#setting = setting
    this.#paced = new PacedFeed({
      turn: setting.decodes.turn,
      feed: (bytes) => this.#read(bytes),
      overflowed: () => {
        this.#hasOverflowed = true
      },
    })
  }

  get isWaiting(): boolean {
    return this.#isWaiting
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#blockBytes === 0
  }

  /** Keeps `raw` and reads `payload`: neither may change later. False asks for a pause. */
  take(raw: Buffer, payload: Buffer): boolean {
    if (!this.#isWaiting) return true
    const { services, budget } = this.#setting
    if (this.#takenBytes + raw.length > services.limits.policyBodyBytesMax) {
      this.#settle(refuseBodySize(this.#setting.policy, services))
      return true
    }
    if (!budget.take(raw.length)) {
      this.#settle(this.#refuseNow('policy_held_bytes'))
      return true
    }
    this.#takenBytes += raw.length
    this.#keep(raw)
    // A decoder takes megabytes, however little it was given: one is made once all is here.
    return payload.length === 0 || this.#isCompressed || this.#offer(payload)
  }

  end(): void {
    if (!this.#isWaiting) return
    const { policy, decodes } = this.#setting
    if (!this.#isCompressed) return this.#whenRead('intact')
    const decoding = decodes.add({
      keyId: policy.keyId,
      codings: this.#reading.codings,
      bytesMax: this.#decodedBytesMax,
      pieces: () => this.#payloads(),
      output: (bytes) => this.#offer(bytes),
      done: (result) => this.#whenRead(result),
    })
    if (decoding === null) this.#settle(this.#refuseNow('policy_decodes'))
    else this.#decoding = decoding
  }

  /** As much as is read of any body, unless so much out of so little is no request any more. */
  get #decodedBytesMax(): number {
    const { policyBodyBytesMax } = this.#setting.services.limits
    return Math.min(policyBodyBytesMax, Math.max(RATIO_FREE_BYTES, this.#takenBytes * RATIO_MAX))
  }

  get #isCompressed(): boolean {
    return this.#reading.codings.length > 0
  }

  /** What was kept, without the framing of chunks. */
  *#payloads(): Generator<Buffer, void> {
    const scanner = new BodyScanner(this.#setting.framing)
    for (const piece of this.waiting) {
      scanner.scan(piece, 0)
      if (scanner.payload.length > 0) yield scanner.payloadOf(piece)
    }
  }

  get waiting(): readonly Buffer[] {
    this.#closeBlock()
    return this.#pieces
  }

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

  release(): void {
    this.#decoding?.cancel()
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

  /** Reading a large piece may take long: the rest, and the caller, wait for later turns. */
  #offer(bytes: Buffer): boolean {
    // Most bodies are small. Of others no piece is read at once, or small pieces would go ahead.
    const isSmall = bytes.length <= STEP_BYTES && this.#takenBytes <= STEP_BYTES
    if (isSmall && !this.#paced.isWaiting) this.#read(bytes)
    else this.#paced.feed(bytes)
    if (!this.#paced.isWaiting) return true
    this.#paced.whenFed(() => {
      if (this.#isCompressed) this.#decoding?.resume()
      else this.#setting.drained()
    })
    return false
  }

  #read(bytes: Uint8Array): void {
    if (this.#hasOverflowed || !this.#isWaiting) return
    this.#reading.reader.feed(bytes)
  }

  #whenRead(result: DecodeResult): void {
    this.#paced.whenFed(() => this.#decoded(result))
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
      case 'window':
        return this.#settle(judgeNames(unreadable(WINDOW_REASON), policy))
      case 'too-large': {
        const isBomb = this.#decodedBytesMax < services.limits.policyBodyBytesMax
        if (!isBomb) return this.#settle(refuseBodySize(policy, services))
        services.meter.add('limitsHit', 1, 'policy_body_bytes')
        return this.#settle(judgeNames(unreadable(RATIO_REASON), policy))
      }
    }
  }

  #settle(refusal: Refusal | null): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#decoding?.cancel()
    this.#setting.judged(refusal)
  }

  #refuseNow(limit: 'policy_held_bytes' | 'policy_decodes'): Refusal {
    this.#setting.services.meter.add('limitsHit', 1, limit)
    const message =
      'Too many requests whose models have to be known are being read right now. Try again in a moment.'
    return { ...refuse('overloaded', message), retryAfterSeconds: 1 }
  }
}

/** Of bodies that decode to more than a mebibyte. Text of a request rarely shrinks to a tenth. */
const RATIO_MAX = 100
const RATIO_FREE_BYTES = 1_048_576
const RATIO_REASON = `it decodes to more than ${RATIO_MAX} times its size, so send it uncompressed`

const WINDOW_REASON =
  'its zstd window is larger than 8 MiB, so compress it without --long and below level 20'

function unreadable(reason: string): NamesFound {
  return { kind: 'unreadable', reason }
}
