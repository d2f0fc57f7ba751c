// Finds where one JSON value ends, in chunks cut anywhere, by its quotes and brackets alone.

import type { Buffer } from 'node:buffer'

export const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  backslash: 0x5c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

/** How far a loop looks for a string's end before a native search takes over. */
const NEAR_BYTES = 48

export interface JsonToken {
  /** Starts a new token, whose first byte has been read. */
  begin(firstByte: number): void
  /** Returns where the token ends, or the chunk's length while it goes on. */
  pass(chunk: Buffer, from: number): number
  readonly isOver: boolean
}

export function createJsonToken(): JsonToken {
  return new TokenScanner()
}

class TokenScanner implements JsonToken {
  isOver = false
  #depth = 0
  #isInString = false
  /** The previous chunk ended inside a string, on the backslash of an escape. */
  #isEscaped = false

  begin(firstByte: number): void {
    this.isOver = false
    this.#isInString = firstByte === BYTE.quote
    this.#isEscaped = false
    this.#depth = isOpening(firstByte) ? 1 : 0
  }

  pass(chunk: Buffer, from: number): number {
    let at = from
    let depth = this.#depth
    while (at < chunk.length && !this.isOver) {
      if (this.#isInString) {
        at = this.#passString(chunk, at)
        this.isOver = depth === 0 && !this.#isInString
        continue
      }
      const byte = chunk[at] as number
      if (depth === 0 && isScalarEnd(byte)) {
        this.isOver = true
        return at
      }
      at += 1
      if (byte === BYTE.quote) this.#isInString = true
      else if (isOpening(byte)) depth += 1
      else if (isClosing(byte)) {
        depth -= 1
        this.isOver = depth === 0
      }
    }
    this.#depth = depth
    return at
  }

  /** A loop is fastest where the quote is near, a native search where it is far, as in base64. */
  #passString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    let nearEnd = at + NEAR_BYTES
    this.#isEscaped = false
    while (at < chunk.length) {
      const byte = chunk[at] as number
      if (byte === BYTE.quote) {
        this.#isInString = false
        return at + 1
      }
      if (byte !== BYTE.backslash && at < nearEnd) {
        at += 1
      } else {
        at = byte === BYTE.backslash ? at + 2 : leapToQuote(chunk, at)
        nearEnd = at + NEAR_BYTES
      }
    }
    this.#isEscaped = at > chunk.length
    return chunk.length
  }
}

/** The place of a string's next quote, or behind it where a backslash escapes it. */
function leapToQuote(chunk: Buffer, from: number): number {
  const quote = chunk.indexOf(BYTE.quote, from)
  const end = quote === -1 ? chunk.length : quote
  let slashes = 0
  while (end - slashes > from && chunk[end - slashes - 1] === BYTE.backslash) slashes += 1
  return slashes % 2 === 1 ? end + 1 : end
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

export function isValueStart(byte: number): boolean {
  if (byte === BYTE.quote || isOpening(byte) || byte === 0x2d) return true
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x74 || byte === 0x66 || byte === 0x6e
}

function isOpening(byte: number): boolean {
  return byte === BYTE.openBrace || byte === BYTE.openBracket
}

function isClosing(byte: number): boolean {
  return byte === BYTE.closeBrace || byte === BYTE.closeBracket
}

function isScalarEnd(byte: number): boolean {
  return byte === BYTE.comma || isClosing(byte) || isSpace(byte)
}
