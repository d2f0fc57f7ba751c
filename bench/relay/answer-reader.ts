// Finds the end of an answer, and whether it is a good one. It knows just enough HTTP for the
// answers of the benchmark, and costs the load generator next to nothing.

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '\r\n0\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length
/** An answer that is not what it should be is shown up to here. */
const SHOWN_CHARACTERS = 600

export class AnswerReader {
  /** Pieces in which the answer came. */
  pieces = 0
  #head = ''
  /** Bytes until the end; null for a chunked body. */
  #left: number | null = null
  /** The head is whole and was a good one. */
  isInBody = false
  #tail = ''

  /** True when this piece ends the answer; the reader is then ready for the next. */
  feed(bytes: Buffer): boolean {
    this.pieces++
    const body = this.isInBody ? bytes : this.#readHead(bytes)
    if (body === null) return false
    const isEnd = this.#left === null ? this.#readChunks(body) : (this.#left -= body.length) <= 0
    if (isEnd) this.#reset()
    return isEnd
  }

  #readHead(bytes: Buffer): Buffer | null {
    const before = this.#head.length
    this.#head += bytes.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end === -1) return null
    if (!this.#head.startsWith('200', STATUS_AT)) {
      throw new Error(`Not answered with 200:\n${this.#head.slice(0, SHOWN_CHARACTERS)}`)
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end))
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

  #reset(): void {
    this.#head = ''
    this.isInBody = false
  }
}
