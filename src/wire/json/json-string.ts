// Checks one JSON string (RFC 8259 §7) in chunks, and decodes it if wanted and short. Escapes are
// undone here, since some engines' JSON.parse misreads names that contain a backslash.

import type { Buffer } from 'node:buffer'
import { GrowingBytes } from '../growing-bytes.ts'
import { BYTE } from './json-token.ts'
import { LONG } from './json-tree.ts'

/** Between the quotes, as written. */
export const STRING_BYTES_MAX = 1024

/** What may stand as it is: no quote, no backslash, no control character. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== BYTE.quote && byte !== BYTE.backslash ? 1 : 0,
)

const ESCAPE = /\\(?:u(....)|(.))/g
const LETTERS: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const UNICODE = 0x75
const IS_LETTER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === UNICODE || Object.hasOwn(LETTERS, String.fromCharCode(byte)) ? 1 : 0,
)
const UNICODE_DIGITS = 4
/** In `#escape`: the backslash was read, its letter was not. Smaller numbers are digits to come. */
const LETTER_NEXT = 5

export class JsonString {
  isOver = false
  isInvalid = false
  /** Once it is over; LONG also where it was not wanted. */
  text: string | typeof LONG = LONG
  #isWanted = false
  #escape = 0
  #hasEscapes = false
  #carry: GrowingBytes | null = null
  #isLong = false

  /** Behind the opening quote. */
  begin(isWanted: boolean): void {
    this.isOver = false
    this.#isWanted = isWanted
    this.#hasEscapes = false
    this.#isLong = false
  }

  /** Returns the offset behind the closing quote, or the chunk's length if the string goes on. */
  pass(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && !this.isInvalid) {
      if (this.#escape > 0) {
        this.#passEscape(chunk[at++] as number)
        continue
      }
      while (at < chunk.length && PLAIN[chunk[at] as number] === 1) at += 1
      if (at >= chunk.length) break
      const byte = chunk[at++] as number
      if (byte === BYTE.quote) {
        this.isOver = true
        if (this.#isWanted) this.#take(chunk, from, at - 1)
        return at
      }
      if (byte !== BYTE.backslash) this.isInvalid = true
      this.#hasEscapes = true
      this.#escape = LETTER_NEXT
    }
    if (this.#isWanted) this.#keep(chunk.subarray(from))
    return chunk.length
  }

  #passEscape(byte: number): void {
    if (this.#escape === LETTER_NEXT) {
      this.#escape = byte === UNICODE ? UNICODE_DIGITS : 0
      this.isInvalid ||= IS_LETTER[byte] === 0
    } else {
      this.#escape -= 1
      this.isInvalid ||= !isHexDigit(byte)
    }
  }

  #take(chunk: Buffer, from: number, end: number): void {
    if (this.#carry === null && !this.#isLong && end - from <= STRING_BYTES_MAX) {
      this.text = this.#decode(chunk.toString('utf8', from, end))
      return
    }
    this.#keep(chunk.subarray(from, end))
    this.text = this.#carry === null ? LONG : this.#decode(this.#carry.view().toString('utf8'))
    this.#carry = null
  }

  #keep(piece: Buffer): void {
    this.#isLong ||= (this.#carry?.length ?? 0) + piece.length > STRING_BYTES_MAX
    if (this.#isLong) {
      this.#carry = null
      return
    }
    this.#carry ??= new GrowingBytes()
    this.#carry.append(piece)
  }

  /** Half a surrogate pair is a legal escape and is kept. */
  #decode(text: string): string {
    if (!this.#hasEscapes) return text
    return text.replaceAll(ESCAPE, (_escape, digits: string | undefined, letter: string) =>
      digits === undefined
        ? (LETTERS[letter] as string)
        : String.fromCharCode(parseInt(digits, 16)),
    )
  }
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66)
}
