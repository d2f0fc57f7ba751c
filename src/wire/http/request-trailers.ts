// A request's trailers on their way to the upstream: X-SVC-* stays here, as in the head. A line
// goes on when it is whole; the scanner has checked it, and bounds what waits.

import { ByteQueue } from '../byte-queue.ts'

const LF = 10
const SVC_LINES = /^x-svc-[^\n]*\n/gim
const NOTHING = Buffer.alloc(0)

export class RequestTrailers {
  readonly #waiting = new ByteQueue()

  /** Returns what goes on, of these bytes and of those before. */
  pass(bytes: Buffer): Buffer {
    this.#waiting.append(bytes)
    const end = bytes.lastIndexOf(LF) + 1
    if (end === 0) return NOTHING
    const length = this.#waiting.length - bytes.length + end
    const lines = this.#waiting.view().toString('latin1', 0, length)
    this.#waiting.skip(length)
    return Buffer.from(lines.replace(SVC_LINES, ''), 'latin1')
  }
}
