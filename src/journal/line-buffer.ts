// The lines of one turn as they go to the disk. The memory is used again by the next turn.

import { LINE_BYTES_MAX, lineRoom, writeLine } from './format.ts'

/** Enough for one turn, except bursts, whose memory is given back. */
const BUFFER_BYTES = 65_536
const BUFFER_BYTES_KEPT = 1_048_576

export class LineBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Writes the line behind the last one that was kept; returns its length, null if too long. */
  write(json: string): number | null {
    if (json.length > LINE_BYTES_MAX) return null
    const needed = this.#length + lineRoom(json)
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    const length = writeLine(json, this.#bytes, this.#length) - this.#length
    return length > LINE_BYTES_MAX ? null : length
  }

  keep(length: number): void {
    this.#length += length
  }

  lines(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    if (this.#bytes.length > BUFFER_BYTES_KEPT) this.#bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  }
}
