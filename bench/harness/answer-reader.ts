// Finds the end of an answer, and whether it is a good one. It knows just enough HTTP for the
// answers of the benchmarks, and costs the load generator next to nothing.

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '\r\n0\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length
const HEAD_BYTES_MAX = 4096
/** An answer that is not what it should be is shown up to here. */
const SHOWN_CHARACTERS = 600

export class AnswerReader {
  /** Pieces in which the answer came. */
  pieces = 0
  bytes = 0
  /** The head, with what came of the body in the same piece. */
  beginning = ''
  /** The head is whole and was a good one. */
  isInBody = false
  /** Bytes until the end; null for a chunked body. */
  #left: number | null = null
  #tail = ''

  /** True when this piece ends the answer; the next one begins another. */
  feed(bytes: Buffer): boolean {
    this.pieces += 1
    this.bytes += bytes.length
    const body = this.isInBody ? bytes : this.#readHead(bytes)
    if (body === null) return false
    return this.#left === null ? this.#readChunks(body) : (this.#left -= body.length) <= 0
  }

  /** Before another answer. */
  reset(): void {
    this.pieces = 0
    this.bytes = 0
    this.beginning = ''
    this.isInBody = false
  }

  #readHead(bytes: Buffer): Buffer | null {
    const before = this.beginning.length
    this.beginning += bytes.toString('latin1', 0, HEAD_BYTES_MAX)
    const end = this.beginning.indexOf(HEAD_END)
    const isTooLong = end === -1 && this.beginning.length >= HEAD_BYTES_MAX
    if (end === -1 && !isTooLong) return null
    if (isTooLong || !this.beginning.startsWith('200', STATUS_AT)) {
      throw new Error(`Not answered with 200:\n${this.beginning.slice(0, SHOWN_CHARACTERS)}`)
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.beginning.slice(0, end))
    this.#left = length === null ? null : Number(length[1])
    this.isInBody = true
    // The end of the head counts as the line break before the first chunk.
    this.#tail = '\r\n'
    return bytes.subarray(end + HEAD_END.length - before)
  }

  #readChunks(bytes: Buffer): boolean {
    const from = Math.max(0, bytes.length - LAST_CHUNK.length)
    this.#tail = (this.#tail + bytes.toString('latin1', from)).slice(-LAST_CHUNK.length)
    return this.#tail === LAST_CHUNK
  }
}
