// Finds where a body ends; its bytes, chunk framing included, are not changed. Chunked coding is
// checked against RFC 9112 §7.1, with bounded extensions and trailers.

import type { BodyFraming } from './http-head.ts'

const EXTENSION_BYTES_MAX = 1024
const TRAILER_BYTES_MAX = 16_384
/** As many as 64 bits need: some peers fill them up with zeros. */
const SIZE_DIGITS_MAX = 16

const CR = 13
const LF = 10
const SEMICOLON = 0x3b

type ChunkState =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer-start'
  | 'trailer'
  | 'trailer-lf'
  | 'end-lf'

// Names and values as in RFC 9112 §7.1.1, without the blanks that it tolerates.
const EXTENSION =
  /^(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\t !\x23-\x5b\x5d-\x7e]*"))?)+$/
const TRAILER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t\x20-\x7e\x80-\xff]*$/
// A trailer may not restate how the message is framed or routed (RFC 9110 §6.5.1).
const TRAILER_FORBIDDEN = new Set(['content-length', 'transfer-encoding', 'host'])

// Found at once: later, an upstream that accepts bare line feeds would have a second request.
const CONTROL_FAULT = 'a control character or a bare line feed in its framing'

function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== CR && byte !== 0x09) || byte === 0x7f
}

const NO_SPANS: readonly number[] = []

export class BodyScanner {
  isDone: boolean
  /** What is wrong with the framing; the message cannot be continued. */
  fault: string | null = null
  /** Offsets of the payload within the bytes of the last scan: start, end, start, end, … */
  payload: readonly number[] = NO_SPANS
  /** Where the trailers, with the blank line behind them, go on within the bytes of that scan. */
  trailersAt = Infinity

  readonly #kind: BodyFraming['kind']
  readonly #isHeadOnly: (name: string) => boolean
  /** Bytes still to come: of the body, or of the current chunk. */
  #left = 0
  #state: ChunkState = 'size'
  #isBehindData = false
  #sizeDigits = 0
  #extension = ''
  #trailerBytes = 0
  #trailerLine = ''

  /** `isHeadOnly` says of a name in lower case that it may not stand in the trailers. */
  constructor(framing: BodyFraming, isHeadOnly: (name: string) => boolean = () => false) {
    this.#kind = framing.kind
    this.#isHeadOnly = isHeadOnly
    if (framing.kind === 'length') this.#left = framing.length
    this.isDone = framing.kind === 'none' || (framing.kind === 'length' && framing.length === 0)
  }

  get isUntilClose(): boolean {
    return this.#kind === 'until-close'
  }

  get isChunked(): boolean {
    return this.#kind === 'chunked'
  }

  /** Scans `bytes` from an offset; returns the offset just behind the body's last byte in them. */
  scan(bytes: Buffer, from: number): number {
    this.payload = NO_SPANS
    this.trailersAt = Infinity
    if (this.isDone || this.fault !== null) return from
    switch (this.#kind) {
      case 'none':
        return from
      case 'until-close':
        this.payload = [from, bytes.length]
        return bytes.length
      case 'length':
        return this.#scanLength(bytes, from)
      case 'chunked':
        return this.#scanChunked(bytes, from)
    }
  }

  payloadOf(bytes: Buffer): Buffer {
    const { payload } = this
    if (payload.length === 2) return bytes.subarray(payload[0], payload[1])
    const parts: Buffer[] = []
    for (let at = 0; at < payload.length; at += 2) {
      parts.push(bytes.subarray(payload[at], payload[at + 1]))
    }
    return Buffer.concat(parts)
  }

  /** Completes a body that only the end of the connection ends. */
  endOfConnection(): void {
    if (this.#kind === 'until-close') this.isDone = true
  }

  #scanLength(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left)
    this.#left -= end - from
    this.payload = [from, end]
    this.isDone = this.#left === 0
    return end
  }

  #scanChunked(bytes: Buffer, from: number): number {
    const spans: number[] = []
    this.payload = spans
    let at = from
    if (this.#isBehindData) this.trailersAt = from
    while (at < bytes.length && !this.isDone && this.fault === null) {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, at + this.#left)
        spans.push(at, end)
        this.#left -= end - at
        at = end
        if (this.#left === 0) this.#state = 'data-cr'
      } else {
        this.#step(bytes[at] as number)
        at++
        if (this.#isBehindData) this.trailersAt = Math.min(this.trailersAt, at)
      }
    }
    return at
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#stepSize(byte)
        break
      case 'extension':
        this.#stepExtension(byte)
        break
      case 'size-lf':
        if (this.#expect(byte, LF)) this.#state = this.#left === 0 ? 'trailer-start' : 'data'
        this.#isBehindData = this.#state === 'trailer-start'
        break
      case 'data-cr':
        if (this.#expect(byte, CR)) this.#state = 'data-lf'
        break
      case 'data-lf':
        if (this.#expect(byte, LF)) this.#startChunk()
        break
      case 'trailer-start':
        if (byte === CR) this.#state = 'end-lf'
        else this.#stepTrailer(byte)
        break
      case 'trailer':
        this.#stepTrailer(byte)
        break
      case 'trailer-lf':
        if (this.#expect(byte, LF)) this.#endTrailerLine()
        break
      case 'end-lf':
        if (this.#expect(byte, LF)) this.isDone = true
        break
      case 'data':
        break
    }
  }

  #startChunk(): void {
    this.#state = 'size'
    this.#sizeDigits = 0
    this.#left = 0
  }

  #stepSize(byte: number): void {
    const digit = hexValue(byte)
    if (digit !== -1) {
      this.#left = this.#left * 16 + digit
      const isExact = this.#left <= Number.MAX_SAFE_INTEGER
      if (++this.#sizeDigits > SIZE_DIGITS_MAX || !isExact) this.fault = 'a chunk size too large'
    } else if (this.#sizeDigits === 0) {
      this.fault = 'a chunk without a size'
    } else if (byte === CR) {
      this.#state = 'size-lf'
    } else if (byte === SEMICOLON) {
      this.#state = 'extension'
      this.#extension = ';'
    } else {
      this.fault = 'a chunk size that is not a hexadecimal number'
    }
  }

  #stepExtension(byte: number): void {
    if (isControl(byte)) {
      this.fault = CONTROL_FAULT
    } else if (byte !== CR) {
      this.#extension += String.fromCharCode(byte)
      if (this.#extension.length > EXTENSION_BYTES_MAX) this.fault = 'a chunk extension too long'
    } else if (EXTENSION.test(this.#extension)) {
      this.#state = 'size-lf'
    } else {
      this.fault = 'a chunk extension that is not ;name=value'
    }
  }

  #stepTrailer(byte: number): void {
    this.#state = 'trailer'
    if (isControl(byte)) this.fault = CONTROL_FAULT
    else if (++this.#trailerBytes > TRAILER_BYTES_MAX) this.fault = 'trailers too long'
    else if (byte === CR) this.#state = 'trailer-lf'
    else this.#trailerLine += String.fromCharCode(byte)
  }

  #endTrailerLine(): void {
    const name = TRAILER_LINE.exec(this.#trailerLine)?.[1]?.toLowerCase()
    if (name === undefined || TRAILER_FORBIDDEN.has(name)) {
      this.fault = 'a trailer that is not allowed'
    } else if (this.#isHeadOnly(name)) {
      this.fault = `${name} behind it: send that in the head, where it is judged, or leave it out`
    }
    this.#trailerLine = ''
    this.#state = 'trailer-start'
  }

  #expect(byte: number, wanted: number): boolean {
    if (byte !== wanted) this.fault = 'a chunk that does not end where its size says'
    return byte === wanted
  }
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** Most pieces are wanted whole, and a view of them costs as much as reading a short one. */
export function slice(bytes: Buffer, start: number, end: number): Buffer {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
}
