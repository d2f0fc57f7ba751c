// Bytes that the disk did not take yet, in order. Must stay true: adding costs the same however
// much is in it, since a worker under load adds at every turn.

import { LF } from './format.ts'

const CHUNK_BYTES = 1_048_576

export class Backlog {
  /** Each but the last is full. */
  readonly #chunks: Buffer[] = []
  /** In the first chunk: how much was written. */
  #start = 0
  /** In the last chunk: how much is filled. */
  #end = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  add(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      let chunk = this.#chunks.at(-1)
      if (chunk === undefined || this.#end === chunk.length) {
        chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
        this.#chunks.push(chunk)
        this.#end = 0
      }
      const count = bytes.copy(chunk, this.#end, at)
      this.#end += count
      at += count
    }
    this.#length += bytes.length
  }

  /** The oldest bytes, as many as are contiguous. */
  peek(): Buffer {
    const [chunk] = this.#chunks
    if (chunk === undefined) return Buffer.alloc(0)
    return chunk.subarray(this.#start, this.#chunks.length === 1 ? this.#end : chunk.length)
  }

  /** Drops the oldest bytes, no more than peek() returned. */
  drop(count: number): void {
    this.#start += count
    this.#length -= count
    const [chunk] = this.#chunks
    const isDone = this.#length === 0 || this.#start === chunk?.length
    if (!isDone) return
    this.#chunks.shift()
    this.#start = 0
    if (this.#length === 0) this.#end = 0
  }

  countLines(): number {
    let lines = 0
    for (const [index, chunk] of this.#chunks.entries()) {
      const start = index === 0 ? this.#start : 0
      const end = index === this.#chunks.length - 1 ? this.#end : chunk.length
      for (let at = start; at < end; at++) if (chunk[at] === LF) lines++
    }
    return lines
  }
}
