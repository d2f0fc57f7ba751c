// Bodies of many JSON objects: one per line, or an array's elements. Must stay true: memory is
// bounded, and a piece that breaks off is not read, since it would silently lack its last figures.

import type { Buffer } from 'node:buffer'
import { GrowingBytes, toBuffer } from '../../wire/growing-bytes.ts'
import { createJsonMembers, parseJson } from '../../wire/json/json-members.ts'
import type { JsonMembers, JsonShape } from '../../wire/json/json-members.ts'
import { BYTE, createJsonToken, isSpace, isValueStart } from '../../wire/json/json-token.ts'
import type { JsonToken } from '../../wire/json/json-token.ts'
import type { JsonObject } from './json-leaves.ts'
import { toObject } from './json-leaves.ts'

/**
 * Up to this size a document is parsed at once, at half the cost of searching it. A larger one is
 * searched as it comes, so that memory stays small and no chunk stalls other streams.
 */
export const WHOLE_BYTES_MAX = 32 * 1024

/** A failing parse takes twenty times as long as a good one: beyond this none is tried. */
export const FAULTS_MAX = 100

const LF = 0x0a

export interface PiecesOptions {
  /** Members kept of a piece too large to parse at once. */
  readonly shape: JsonShape
  /** Pieces that do not match are skipped; a large one is always searched. */
  readonly needles: RegExp
  onDocument(document: JsonObject, event: string | null): void
  /** Receives each piece that is not too large, as Latin-1, before `needles` is applied. */
  readonly onPassing?: ((piece: string) => void) | undefined
}

export interface DocumentPieces {
  feed(bytes: Uint8Array): void
  end(isWhole: boolean): { readonly isComplete: boolean; readonly isMalformed: boolean }
  setNeedles(needles: RegExp): void
}

class Piece {
  readonly #options: PiecesOptions
  readonly #carry = new GrowingBytes()
  #members: JsonMembers | null = null
  needles: RegExp
  isMalformed = false
  #faults = 0

  constructor(options: PiecesOptions) {
    this.#options = options
    this.needles = options.needles
  }

  get isEmpty(): boolean {
    return this.#carry.length === 0 && this.#members === null
  }

  add(bytes: Buffer): void {
    if (this.#members === null && this.#carry.length + bytes.length <= WHOLE_BYTES_MAX) {
      this.#carry.append(bytes)
      return
    }
    if (this.#members === null) {
      this.#members = createJsonMembers({ shape: this.#options.shape })
      this.#members.feed(this.#carry.view())
      this.#carry.clear()
    }
    this.#members.feed(bytes)
  }

  /** `bytes` are its last. */
  close(bytes: Buffer): void {
    // Nearly every piece lies in one chunk and contains nothing of use.
    if (this.isEmpty && bytes.length <= WHOLE_BYTES_MAX) return this.#handOut(bytes)
    this.add(bytes)
    if (this.#members === null) {
      this.#handOut(this.#carry.view())
    } else {
      const { kind, value } = this.#members.end()
      this.#members = null
      if (kind === 'whole') this.#options.onDocument(value, null)
      else this.isMalformed = true
    }
    this.#carry.clear()
  }

  #handOut(bytes: Buffer): void {
    const passing = bytes.toString('latin1')
    this.#options.onPassing?.(passing)
    if (!this.needles.test(passing) || this.#faults > FAULTS_MAX) return
    const document = toObject(parseJson(bytes.toString()))
    if (document === null) {
      this.isMalformed = true
      this.#faults += 1
    } else {
      this.#options.onDocument(document, null)
    }
  }
}

const NO_BYTES = toBuffer(new Uint8Array())

/**
 * One object per line; the last line may lack its end. The first may span several: a server that
 * was not asked for a stream may put line breaks into its one object.
 */
export class LinePieces implements DocumentPieces {
  readonly #piece: Piece
  /** Null once the first object is over. */
  #first: JsonToken | null = null
  #isStarted = false

  constructor(options: PiecesOptions) {
    this.#piece = new Piece(options)
  }

  feed(bytes: Uint8Array): void {
    const chunk = toBuffer(bytes)
    let start = 0
    for (
      let end = chunk.indexOf(LF, this.#passFirst(chunk));
      end !== -1;
      end = chunk.indexOf(LF, start)
    ) {
      // A keep-alive may be nothing but line ends.
      if (end > start || !this.#piece.isEmpty) this.#piece.close(chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) this.#piece.add(chunk.subarray(start))
  }

  /** The offset from which on a line end ends a line. */
  #passFirst(chunk: Buffer): number {
    const [byte] = chunk
    let at = 0
    if (!this.#isStarted && byte !== undefined) {
      this.#isStarted = true
      if (byte !== BYTE.openBrace) return 0
      this.#first = createJsonToken()
      this.#first.begin(byte)
      at = 1
    }
    if (this.#first === null) return 0
    const end = this.#first.pass(chunk, at)
    if (this.#first.isOver) this.#first = null
    return end
  }

  end(isWhole: boolean): { isComplete: boolean; isMalformed: boolean } {
    const wasMalformed = this.#piece.isMalformed
    if (!this.#piece.isEmpty) this.#piece.close(NO_BYTES)
    // A body that broke off ends in half a line, which is no fault of the lines before.
    const isMalformed = isWhole ? this.#piece.isMalformed : wasMalformed
    return { isComplete: isWhole, isMalformed }
  }

  setNeedles(needles: RegExp): void {
    this.#piece.needles = needles
  }
}

/** One array, whose elements may span several lines. */
export class ArrayPieces implements DocumentPieces {
  readonly #piece: Piece
  readonly #token = createJsonToken()
  #state: 'start' | 'between' | 'element' | 'closed' | 'malformed' = 'start'

  constructor(options: PiecesOptions) {
    this.#piece = new Piece(options)
  }

  feed(bytes: Uint8Array): void {
    const chunk = toBuffer(bytes)
    let start = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'element') {
        at = this.#token.pass(chunk, at)
        if (!this.#token.isOver) break
        this.#piece.close(chunk.subarray(start, at))
        this.#state = 'between'
      } else {
        start = at
        if (!this.#step(chunk[at] as number)) return
        at += 1
      }
    }
    if (this.#state === 'element') this.#piece.add(chunk.subarray(start))
  }

  end(): { isComplete: boolean; isMalformed: boolean } {
    const isComplete = this.#state === 'closed'
    return { isComplete, isMalformed: !isComplete || this.#piece.isMalformed }
  }

  setNeedles(needles: RegExp): void {
    this.#piece.needles = needles
  }

  /** Takes a byte outside any element; false when nothing behind it matters. */
  #step(byte: number): boolean {
    if (isSpace(byte)) return true
    if (this.#state === 'start' && byte === BYTE.openBracket) this.#state = 'between'
    else if (this.#state !== 'between') return false
    else if (byte === BYTE.closeBracket) this.#state = 'closed'
    else if (isValueStart(byte)) {
      this.#token.begin(byte)
      this.#state = 'element'
    } else if (byte !== BYTE.comma) {
      this.#state = 'malformed'
      return false
    }
    return true
  }
}
