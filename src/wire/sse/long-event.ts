// An event that is too large to be kept as it came, read line by line: of its fields only data and
// name are kept, and data that is still too large is read by another as it comes. Must stay true:
// it reads what the parser of small events would, and its memory is bounded.

import { Buffer } from 'node:buffer'
import { GrowingBytes } from '../growing-bytes.ts'

/** Reads data that is too large to keep, JSON of any number of lines, as it comes. */
export interface LargeEvent {
  feed(bytes: Uint8Array): void
  /** False when it could not be read. */
  end(event: string | null): boolean
}

export interface LongEventOptions {
  /** More data than this is not kept. */
  readonly dataBytesMax: number
  /** Begins at the stream's first byte, where a byte order mark may stand. */
  readonly isFirst: boolean
  readonly openLarge: (() => LargeEvent) | undefined
}

/**
 * kept: its data, valid until the next call. passed: read by another, or without data, which is no
 * event. lost: it could not be read.
 */
export type LongEventEnd =
  | { readonly kind: 'kept'; readonly data: Buffer; readonly event: string | null }
  | { readonly kind: 'passed' | 'empty' | 'lost' }

const LF = 10
const CR = 13
const SPACE = 32
const COLON = 58
const LINE_FEED = Buffer.of(LF)
/** A byte order mark and the longest name that matters. */
const FIELD_BYTES_MAX = 8
/** No provider's events have a longer name. */
const NAME_BYTES_MAX = 1024

export class LongEvent {
  readonly #options: LongEventOptions
  #line: 'field' | 'data' | 'event' | 'other' = 'field'
  /** The name of the line's field as far as it has come, as Latin-1. */
  #field = ''
  #isFirstLine: boolean
  #isValueStart = false
  readonly #data = new GrowingBytes()
  readonly #name = new GrowingBytes()
  #hasData = false
  #large: LargeEvent | null = null
  #isLost = false

  constructor(options: LongEventOptions) {
    this.#options = options
    this.#isFirstLine = options.isFirst
  }

  /** Whole lines or parts of them; the blank line that ends the event need not be fed. */
  feed(bytes: Buffer): void {
    let lf = indexOrEnd(bytes, LF, 0)
    let cr = indexOrEnd(bytes, CR, 0)
    let at = 0
    while (at < bytes.length) {
      const end = Math.min(lf, cr, bytes.length)
      if (this.#line === 'field') at = this.#readField(bytes, at, end)
      if (at < end) this.#readValue(bytes.subarray(at, end))
      if (end === bytes.length) return
      // Of CRLF the second half ends an empty line, which says nothing.
      this.#endLine()
      at = end + 1
      if (lf < at) lf = indexOrEnd(bytes, LF, at)
      if (cr < at) cr = indexOrEnd(bytes, CR, at)
    }
  }

  end(): LongEventEnd {
    this.#endLine()
    const event = this.#name.length === 0 ? null : this.#name.view().toString()
    if (this.#large !== null) return { kind: this.#large.end(event) ? 'passed' : 'lost' }
    if (this.#isLost) return { kind: 'lost' }
    return this.#hasData ? { kind: 'kept', data: this.#data.view(), event } : { kind: 'empty' }
  }

  /** Returns where the value begins, or the end of what there is. */
  #readField(bytes: Buffer, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number
      if (byte === COLON) {
        this.#startValue()
        return at + 1
      }
      if (this.#field.length === FIELD_BYTES_MAX) {
        this.#line = 'other'
        return end
      }
      this.#field += String.fromCharCode(byte)
    }
    return end
  }

  #startValue(): void {
    const field = this.#isFirstLine ? this.#field.replace(/^\xEF\xBB\xBF/, '') : this.#field
    this.#line = field === 'data' || field === 'event' ? field : 'other'
    this.#isValueStart = true
    if (field === 'event') this.#name.clear()
    if (field !== 'data') return
    if (this.#hasData) this.#addData(LINE_FEED)
    this.#hasData = true
  }

  #readValue(piece: Buffer): void {
    if (this.#line === 'other') return
    const value = this.#isValueStart && piece[0] === SPACE ? piece.subarray(1) : piece
    this.#isValueStart = false
    if (this.#line === 'data') this.#addData(value)
    else this.#name.append(value.subarray(0, NAME_BYTES_MAX - this.#name.length))
  }

  #endLine(): void {
    // A field without a colon has an empty value.
    if (this.#line === 'field' && this.#field !== '') this.#startValue()
    this.#line = 'field'
    this.#field = ''
    this.#isFirstLine = false
  }

  #addData(piece: Buffer): void {
    if (this.#large !== null) return this.#large.feed(piece)
    if (this.#isLost) return
    if (this.#data.length + piece.length <= this.#options.dataBytesMax) {
      return this.#data.append(piece)
    }
    this.#large = this.#options.openLarge?.() ?? null
    this.#isLost = this.#large === null
    this.#large?.feed(this.#data.view())
    this.#large?.feed(piece)
    this.#data.clear()
  }
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === -1 ? Infinity : index
}
