// Cuts one direction of a WebSocket into frames, accepting only what RFC 6455 §5 allows. Must stay
// true: the input is never changed, as it belongs to the relay, and nothing is read after a fault.

import { Buffer } from 'node:buffer'

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface FrameHead {
  readonly opcode: number
  readonly isFinal: boolean
  /** The first reserved bit, which permessage-deflate uses (RFC 7692 §6). */
  readonly isCompressed: boolean
  readonly length: number
}

export interface FrameSink {
  /** False where such a frame is not allowed here. */
  frameStarted(head: FrameHead): boolean
  /** Unmasked, and valid until this returns. */
  framePayload(piece: Buffer): void
  /** `position`: the number of bytes of this direction up to the frame's end. */
  frameEnded(position: number): void
}

const HEAD_BYTES_MAX = 14
const MASK_BYTES = 4
const CONTROL_BYTES_MAX = 125
const LENGTH_16 = 126
const LENGTH_64 = 127
const OPCODES: ReadonlySet<number> = new Set(Object.values(OPCODE))

export class WebSocketFrames {
  readonly #sink: FrameSink
  readonly #isMasked: boolean
  /** The next frame's head, until it is whole. */
  readonly #head = Buffer.alloc(HEAD_BYTES_MAX)
  #headLength = 0
  /** Bytes that came before the current chunk. */
  #before = 0
  #left = 0
  #maskAt = 0
  #isInside = false
  #isBroken = false

  /** Callers must mask what they send, upstreams must not (§5.1). */
  constructor(sink: FrameSink, isMasked: boolean) {
    this.#sink = sink
    this.#isMasked = isMasked
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** True when the last frame has ended and nothing of the next one has come. */
  get isBetween(): boolean {
    return !this.#isInside && this.#headLength === 0
  }

  feed(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && !this.#isBroken) {
      at = this.#isInside ? this.#readPayload(bytes, at) : this.#readHead(bytes, at)
    }
    this.#before += bytes.length
  }

  #readHead(bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length) {
      this.#head[this.#headLength++] = bytes[at++] as number
      if (this.#headLength < this.#headBytes()) continue
      this.#headLength = 0
      this.#begin(at)
      return at
    }
    return at
  }

  #headBytes(): number {
    if (this.#headLength < 2) return 2
    return this.#maskStart() + (this.#isMasked ? MASK_BYTES : 0)
  }

  /** Behind two bytes and the extended length. */
  #maskStart(): number {
    const short = (this.#head[1] as number) & 0x7f
    return 2 + (short === LENGTH_64 ? 8 : short === LENGTH_16 ? 2 : 0)
  }

  #begin(at: number): void {
    const [first = 0, second = 0] = this.#head
    const opcode = first & 0x0f
    const isFinal = (first & 0x80) !== 0
    const isCompressed = (first & 0x40) !== 0
    const length = this.#length(second & 0x7f)
    const isControl = opcode >= OPCODE.close
    const isSound =
      OPCODES.has(opcode) &&
      (first & 0x30) === 0 &&
      second >= 0x80 === this.#isMasked &&
      length !== null &&
      (!isControl || (isFinal && !isCompressed && length <= CONTROL_BYTES_MAX))
    if (!isSound || !this.#sink.frameStarted({ opcode, isFinal, isCompressed, length })) {
      this.#isBroken = true
      return
    }
    this.#left = length
    this.#maskAt = 0
    this.#isInside = length > 0
    if (length === 0) this.#sink.frameEnded(this.#before + at)
  }

  /** Null for a length that is not in its shortest form or too large to count (§5.2). */
  #length(short: number): number | null {
    if (short < LENGTH_16) return short
    if (short === LENGTH_16) {
      const length = this.#head.readUInt16BE(2)
      return length < LENGTH_16 ? null : length
    }
    const length = this.#head.readUInt32BE(2) * 2 ** 32 + this.#head.readUInt32BE(6)
    return length < 2 ** 16 || length > Number.MAX_SAFE_INTEGER ? null : length
  }

  #readPayload(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left)
    const piece = bytes.subarray(from, end)
    this.#sink.framePayload(this.#isMasked ? this.#unmask(piece) : piece)
    this.#left -= piece.length
    if (this.#left === 0) {
      this.#isInside = false
      this.#sink.frameEnded(this.#before + end)
    }
    return end
  }

  #unmask(piece: Buffer): Buffer {
    const plain = Buffer.allocUnsafe(piece.length)
    const maskStart = this.#maskStart()
    const maskAt = this.#maskAt
    for (let at = 0; at < piece.length; at++) {
      const key = this.#head[maskStart + ((maskAt + at) & 3)] as number
      plain[at] = (piece[at] as number) ^ key
    }
    this.#maskAt = (maskAt + piece.length) & 3
    return plain
  }
}

/** One whole frame as an upstream sends it: not masked. */
export function writeServerFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < LENGTH_16 ? 2 : length < 2 ** 16 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < LENGTH_16 ? length : length < 2 ** 16 ? LENGTH_16 : LENGTH_64
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** A close frame (§5.5.1); of the reason, as much as a control frame has room for. */
export function writeCloseFrame(code: number, reason: string): Buffer {
  const text = Buffer.from(reason)
  let end = Math.min(text.length, CONTROL_BYTES_MAX - 2)
  // Not inside a character.
  while (end < text.length && ((text[end] as number) & 0xc0) === 0x80) end--
  const payload = Buffer.alloc(2 + end)
  payload.writeUInt16BE(code)
  text.copy(payload, 2, 0, end)
  return writeServerFrame(OPCODE.close, payload)
}
