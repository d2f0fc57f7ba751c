// Gathers the heads of one response out of the pieces in which they come: any number of informational
// ones, then the final one, then the body.

import { findHeadEnd, parseResponseHead } from './http-head.ts'
import type { ResponseHead } from './http-head.ts'

export type HeadStep =
  | { readonly kind: 'incomplete' }
  /** `rest` is what follows the head in the bytes that were given. */
  | { readonly kind: 'head'; readonly head: ResponseHead; readonly rest: Buffer }
  | { readonly kind: 'fault'; readonly reason: string }

export interface HeadLimits {
  readonly headBytesMax: number
  readonly headersMax: number
}

const INCOMPLETE: HeadStep = { kind: 'incomplete' }

export class ResponseHeadReader {
  readonly #method: string
  readonly #limits: HeadLimits
  #pending: Buffer | null = null

  constructor(method: string, limits: HeadLimits) {
    this.#method = method
    this.#limits = limits
  }

  read(chunk: Buffer): HeadStep {
    const { headBytesMax, headersMax } = this.#limits
    const bytes = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk])
    const end = findHeadEnd(bytes, 0)
    if (end > headBytesMax || (end === -1 && bytes.length > headBytesMax)) {
      return { kind: 'fault', reason: `a head of more than ${headBytesMax} bytes` }
    }
    this.#pending = end === -1 ? bytes : null
    if (end === -1) return INCOMPLETE
    const parsed = parseResponseHead(bytes.toString('latin1', 0, end - 4), this.#method, headersMax)
    return parsed.kind === 'fault' ? parsed : { ...parsed, rest: bytes.subarray(end) }
  }
}
