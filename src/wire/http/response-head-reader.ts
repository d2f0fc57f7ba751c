// Collects the heads of one response: any number of informational ones, then the final one. A head
// that came whole is read in place, so it is valid only as long as the given bytes.

import { BLANK_LINES_MAX, skipBlankLines } from './blank-lines.ts'
import { findHeadEnd, hasBareLineFeed, parseResponseHead } from './http-head.ts'
import type { HeadFault, ResponseHead } from './http-head.ts'

export interface HeadLimits {
  readonly headBytesMax: number
  readonly headersMax: number
}

export class ResponseHeadReader {
  /** What followed the last head in the given bytes. */
  rest: Buffer = NOTHING
  readonly #method: string
  readonly #limits: HeadLimits
  #pending: Buffer | null = null

  constructor(method: string, limits: HeadLimits) {
    this.#method = method
    this.#limits = limits
  }

  /** Null while the next head is not complete. */
  read(chunk: Buffer): ResponseHead | HeadFault | null {
    const { headBytesMax, headersMax } = this.#limits
    const before = this.#pending?.length ?? 0
    const bytes = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk])
    const start = skipBlankLines(bytes, 0, BLANK_LINES_MAX)
    const end = findHeadEnd(bytes, Math.max(start, before - 3))
    if (end > headBytesMax || (end === -1 && bytes.length > headBytesMax)) {
      return { fault: `a head of more than ${headBytesMax} bytes` }
    }
    if (end === -1) {
      if (hasBareLineFeed(bytes, before)) return { fault: 'a bare line feed in its head' }
      this.#pending = bytes === chunk ? Buffer.from(chunk) : bytes
      return null
    }
    this.#pending = null
    this.rest = bytes.subarray(end)
    return parseResponseHead({ bytes, start, end }, { method: this.#method, linesMax: headersMax })
  }
}

const NOTHING = Buffer.alloc(0)
