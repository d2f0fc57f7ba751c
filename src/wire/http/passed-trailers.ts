// Trailers on their way: a line goes on when it is whole, so that one can be kept back. The scanner
// has checked it, and bounds what waits.

import { ByteQueue } from '../byte-queue.ts'
import { WHOLE_KEY } from './credential-locations.ts'

const LF = 10
const LINES = /[^\n]*\n/g
const SVC_LINE = /^x-svc-/i
const NOTHING = Buffer.alloc(0)

export class PassedTrailers {
  readonly #waiting = new ByteQueue()
  readonly #isKeptBack: (line: string) => boolean

  constructor(isKeptBack: (line: string) => boolean) {
    this.#isKeptBack = isKeptBack
  }

  /** Returns what goes on, of these bytes and of those before. */
  pass(bytes: Buffer): Buffer {
    this.#waiting.append(bytes)
    const end = bytes.lastIndexOf(LF) + 1
    if (end === 0) return NOTHING
    const length = this.#waiting.length - bytes.length + end
    const lines = this.#waiting.view().toString('latin1', 0, length)
    this.#waiting.skip(length)
    const kept = lines.replaceAll(LINES, (line) => (this.#isKeptBack(line) ? '' : line))
    return Buffer.from(kept, 'latin1')
  }
}

/** Of a request's: X-SVC-* stays here, as in the head, and so does a key of ours. */
export function isForWeir(line: string): boolean {
  return SVC_LINE.test(line) || WHOLE_KEY.test(line)
}
