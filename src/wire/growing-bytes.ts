// Pieces copied, as owners reuse their memory, into a buffer that doubles. Callers set the limit.

import { Buffer } from 'node:buffer'

const NOTHING = Buffer.alloc(0)
const CAPACITY_START = 1024
/** A buffer that was once larger gives its memory back when emptied. */
const CAPACITY_KEPT = 65_536

export class GrowingBytes {
  #buffer: Buffer = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#buffer.length) {
      const capacity = Math.max(length, this.#buffer.length * 2, CAPACITY_START)
      const grown = Buffer.allocUnsafe(capacity)
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    this.#buffer.set(piece, this.#length)
    this.#length = length
  }

  /** Valid until the next call: it is a view, not a copy. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    if (this.#buffer.length > CAPACITY_KEPT) this.#buffer = NOTHING
  }
}

export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
