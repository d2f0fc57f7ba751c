// Reads one caller's requests from its bytes, in order; what comes early waits, bounded. A head is
// read in place: it is valid only as long as the bytes it came in.

import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { ByteQueue } from '../wire/byte-queue.ts'
import { BLANK_LINES_MAX, skipBlankLines } from '../wire/http/blank-lines.ts'
import { findHeadEnd, hasBareLineFeed, isFault, parseRequestHead } from '../wire/http/http-head.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import type { ProxyServices } from './services.ts'

export interface RequestHandler {
  /** False while a request is put off or being answered, and once the connection ends. */
  readonly canReadNext: boolean
  readonly isEnding: boolean
  /** Lets what waits be read, in a later turn. */
  readOn(): void
  /** Returns the offset after the request's bytes, or what `putOff` does. */
  handle(head: RequestHead, bytes: Buffer, bodyStart: number): number
  /** The request that was put off can be read again, and what came behind it. */
  resume(): void
  /** For what is not a request: then no one knows where the next one begins. */
  refuseUnread(refusal: Refusal): void
}

const INCOMPLETE = -1
/** A refused body up to this size is read and dropped, so that the connection can go on. */
const DISCARD_BYTES_MAX = 65_536
/** Refused ones of a caller that pipelines them take time from everyone else's calls. */
const REQUESTS_PER_TURN = 8

export class RequestReader {
  readonly #handler: RequestHandler
  readonly #services: ProxyServices
  /** An unfinished head, or requests ahead of their turn. */
  readonly #ahead = new ByteQueue()
  /** How many bytes of an unfinished head have been searched for its end already. */
  #searched = 0
  #headUntil = Infinity
  /** How many came in front of the next head. */
  #blankLines = 0
  #isReading = false
  /** It has had its part of this turn. */
  #isResting = false
  /** The first of what waits is a whole request that is to be handled again. */
  isPutOff = false
  /** The request that is handled has been put off before. */
  wasPutOff = false
  headAt = 0

  constructor(handler: RequestHandler, services: ProxyServices) {
    this.#handler = handler
    this.#services = services
  }

  get hasBegun(): boolean {
    return this.#headUntil !== Infinity || this.isPutOff
  }

  /** For `handle`: the same request is handled again later, and what comes meanwhile waits. */
  putOff(ready: Promise<void>): number {
    this.isPutOff = true
    void ready.then(() => {
      this.isPutOff = false
      this.wasPutOff = true
      this.#handler.resume()
    })
    return INCOMPLETE
  }

  isOverdue(nowMs: number): boolean {
    return nowMs >= this.#headUntil
  }

  get isEmpty(): boolean {
    return this.#ahead.length === 0
  }

  get #hasRoom(): boolean {
    return this.#ahead.length <= this.#services.limits.headBytesMax
  }

  takeAhead(): Buffer {
    const ahead = this.#ahead.view()
    this.#ahead.clear()
    return ahead
  }

  /** Reads requests as far as they go; the rest waits. False when more waits than may. */
  read(chunk: Buffer, from: number): boolean {
    const handler = this.#handler
    let at = from
    if (this.isEmpty) {
      this.#isReading = true
      for (let count = 0; at < chunk.length && this.#canRead(count); count++) {
        const next = this.#readRequest(chunk, at)
        if (next === INCOMPLETE) break
        at = next
      }
      this.#isReading = false
    }
    if (at === chunk.length || handler.isEnding) return true
    this.#ahead.append(chunk.subarray(at))
    if (handler.canReadNext && from === at) this.readAhead()
    return this.#hasRoom
  }

  /** A loop, not a recursion: a caller may pipeline thousands of refused requests. */
  readAhead(): boolean {
    if (this.#isReading) return true
    this.#isReading = true
    for (let count = 0; this.#ahead.length > 0 && this.#canRead(count); count++) {
      const next = this.#readRequest(this.#ahead.view(), 0)
      if (next === INCOMPLETE) break
      this.#ahead.skip(next)
    }
    this.#isReading = false
    return this.#hasRoom
  }

  #canRead(count: number): boolean {
    if (!this.#handler.canReadNext || this.#isResting) return false
    if (count < REQUESTS_PER_TURN) return true
    this.#isResting = true
    setImmediate(() => {
      this.#isResting = false
      this.#handler.readOn()
    })
    return false
  }

  /** Returns the offset after the request's bytes or the blank lines before it, or INCOMPLETE. */
  #readRequest(bytes: Buffer, from: number): number {
    const next = skipBlankLines(bytes, from, BLANK_LINES_MAX - this.#blankLines)
    if (next > from) {
      this.#passBlankLines((next - from) / 2)
      return next
    }
    const { limits, meter, deadlines, clock } = this.#services
    const { headBytesMax, headersMax, headTimeoutMs } = limits
    const end = findHeadEnd(bytes, Math.max(from, from + this.#searched - 3))
    const length = (end === -1 ? bytes.length : end) - from
    if (length > headBytesMax) {
      meter.add('limitsHit', 1, 'head_bytes')
      const message = `The request's head is larger than ${headBytesMax} bytes.`
      return this.#refuse(refuse('headers_too_large', message), bytes)
    }
    if (end === -1) {
      if (hasBareLineFeed(bytes, from + this.#searched)) {
        const message = 'The request has a bare line feed in its head.'
        return this.#refuse(refuse('bad_request', message), bytes)
      }
      this.#searched = length
      if (!this.hasBegun) this.#headUntil = deadlines.until(headTimeoutMs)
      return INCOMPLETE
    }
    this.#searched = 0
    this.#headUntil = Infinity
    this.#blankLines = 0
    if (!this.wasPutOff) this.headAt = clock.monotonic()
    const head = parseRequestHead({ bytes, start: from, end }, headersMax)
    if (!isFault(head)) {
      const next = this.#handler.handle(head, bytes, end)
      this.wasPutOff = false
      return next
    }
    if (head.isTooMany) meter.add('limitsHit', 1, 'head_count')
    if (head.isMethod) {
      const message = `The request has ${head.fault}, which Weir does not forward.`
      return this.#refuse(refuse('method_not_allowed', message), bytes)
    }
    const code = head.isTooMany ? 'headers_too_large' : 'bad_request'
    return this.#refuse(refuse(code, `The request has ${head.fault}.`), bytes)
  }

  /** They are gone at once: behind a last request they are not the beginning of another. */
  #passBlankLines(count: number): void {
    this.#blankLines += count
    this.#searched = 0
    this.#headUntil = Infinity
  }

  #refuse(refusal: Refusal, bytes: Buffer): number {
    this.#handler.refuseUnread(refusal)
    return bytes.length
  }
}

/** The rest of such an upload is not waited for. */
export function isLarge({ framing }: RequestHead): boolean {
  return framing.kind === 'length' && framing.length > DISCARD_BYTES_MAX
}

/** Of a refused request. One that waits for "100 Continue" may never send its body after that. */
export function canDiscard({ framing, isExpecting }: RequestHead): boolean {
  return framing.kind === 'length' && framing.length <= DISCARD_BYTES_MAX && !isExpecting
}

/** HTTP/1.0 connections are always closed: its keep-alive was never specified well. */
export function canPersist(head: RequestHead): boolean {
  return head.isKeepAlive && head.minor === 1
}
