// Whether bytes are UTF-8 (RFC 3629). The engine checks; here, cut characters are joined first.

import { Buffer, isUtf8 } from 'node:buffer'

const CHARACTER_BYTES_MAX = 4

export class Utf8Check {
  readonly #character = Buffer.alloc(CHARACTER_BYTES_MAX)
  /** Bytes of the character that the last chunk ended in. */
  #length = 0

  /** False once the bytes cannot be UTF-8. */
  feed(chunk: Buffer): boolean {
    let start = 0
    while (this.#length > 0 && start < chunk.length) {
      this.#character[this.#length++] = chunk[start++] as number
      if (this.#length < lengthOf(this.#character[0] as number)) continue
      if (!isUtf8(this.#character.subarray(0, this.#length))) return false
      this.#length = 0
    }
    const end = findCut(chunk, start)
    if (end < chunk.length) this.#length += chunk.copy(this.#character, this.#length, end)
    return isUtf8(chunk.subarray(start, end))
  }

  /** False when the bytes ended inside a character. */
  end(): boolean {
    return this.#length === 0
  }
}

/** By the first byte. One that starts no character counts as whole, and is then found invalid. */
function lengthOf(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

/** Where the chunk's last character starts, if it is not all there; else the chunk's length. */
function findCut(chunk: Buffer, from: number): number {
  const lowest = Math.max(from, chunk.length - CHARACTER_BYTES_MAX + 1)
  for (let at = chunk.length - 1; at >= lowest; at--) {
    if (at + lengthOf(chunk[at] as number) > chunk.length) return at
  }
  return chunk.length
}
