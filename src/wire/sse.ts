// Finds the events of a server-sent-event stream in bytes that come in any cut, by the WHATWG rules
// with one difference: an event that the end of the stream leaves open is handed out all the same.
// Must stay true: an event without a needle is neither decoded nor split, memory never exceeds one
// event, and nothing refers to the caller's bytes once `feed` has returned.

import { Buffer } from 'node:buffer'
import { GrowingBytes, toBuffer } from './growing-bytes.ts'

const LF = 10
const CR = 13
const COLON = 58
const LINE_END = /\r\n|\r|\n/

export const EVENT_BYTES_MAX = 1024 * 1024

export interface SseScannerOptions {
  /** Events that it does not match, read as Latin-1, are passed over. Neither global nor sticky. */
  readonly needles: RegExp
  /** Counted from the event's first line to its blank line. A larger event is passed over. */
  readonly eventBytesMax?: number
  onEvent(data: string, event: string | null): void
}

export interface SseScanner {
  feed(bytes: Uint8Array): void
  /** Hands out the event that was not closed by a blank line. */
  end(): void
  /** From the next event on, look for these instead. */
  setNeedles(needles: RegExp): void
  /** How many events were larger than the limit. */
  readonly skippedEvents: number
}

export function createSseScanner(options: SseScannerOptions): SseScanner {
  return new ByteScanner(options)
}

class ByteScanner implements SseScanner {
  readonly #onEvent: SseScannerOptions['onEvent']
  readonly #eventBytesMax: number
  #needles: RegExp
  #skippedEvents = 0

  /** The open event's bytes from earlier chunks. */
  readonly #carry = new GrowingBytes()
  #firstByte = 0
  /** The open event has a whole line already. */
  #hasLine = false
  /** The open event has grown past the limit and is being passed over. */
  #isSkipping = false
  /** The next byte begins a line. */
  #isLineStart = true
  /** The last byte was a CR that ended a line: an LF right after it belongs to the same end. */
  #hasOpenCr = false
  /** The open event begins at the stream's first byte, where a byte order mark may stand. */
  #isFirst = true

  constructor(options: SseScannerOptions) {
    this.#onEvent = (data, event) => options.onEvent(data, event)
    this.#eventBytesMax = options.eventBytesMax ?? EVENT_BYTES_MAX
    this.#needles = options.needles
  }

  get skippedEvents(): number {
    return this.#skippedEvents
  }

  setNeedles(needles: RegExp): void {
    this.#needles = needles
  }

  feed(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const chunk = toBuffer(bytes)
    let at = this.#hasOpenCr && chunk[0] === LF ? 1 : 0
    this.#hasOpenCr = false
    // The LF of a split CRLF counts with its event, so that no cut changes an event's size.
    let eventStart = this.#isOpen() ? 0 : at
    let lf = indexOrEnd(chunk, LF, at)
    let cr = indexOrEnd(chunk, CR, at)

    while (lf !== Infinity || cr !== Infinity) {
      const lineEnd = Math.min(lf, cr)
      let next = lineEnd + 1
      if (lineEnd === cr) {
        if (next === chunk.length) this.#hasOpenCr = true
        else if (chunk[next] === LF) next += 1
        cr = indexOrEnd(chunk, CR, next)
      }
      if (lf < next) lf = indexOrEnd(chunk, LF, next)

      if (lineEnd === at && this.#isLineStart) {
        this.#close(chunk, eventStart, lineEnd)
        eventStart = next
      } else if (!this.#hasLine && (this.#isOpen() ? this.#firstByte : chunk[at]) === COLON) {
        // A comment in front. Kept, keep-alive comments alone would grow into an event past the limit.
        this.#drop()
        eventStart = next
      } else {
        this.#hasLine = true
      }
      this.#isLineStart = true
      at = next
    }

    if (at < chunk.length) this.#isLineStart = false
    this.#keep(chunk.subarray(eventStart))
  }

  end(): void {
    this.#close(Buffer.alloc(0), 0, 0)
  }

  /** Earlier chunks hold a part of the open event. */
  #isOpen(): boolean {
    return this.#carry.length > 0 || this.#isSkipping
  }

  #close(chunk: Buffer, start: number, end: number): void {
    if (this.#carry.length > 0) {
      this.#keep(chunk.subarray(start, end))
      if (!this.#isSkipping) this.#handOut(this.#carry.view(), 0, this.#carry.length)
    } else if (end - start > this.#eventBytesMax) {
      this.#isSkipping = true
    } else if (end > start && !this.#isSkipping) {
      this.#handOut(chunk, start, end)
    }
    if (this.#isSkipping) this.#skippedEvents += 1
    this.#drop()
  }

  #drop(): void {
    this.#carry.clear()
    this.#hasLine = false
    this.#isSkipping = false
    this.#isFirst = false
  }

  #handOut(bytes: Buffer, start: number, end: number): void {
    // One pattern over a Latin-1 copy costs a third of a native search for each of five needles.
    if (!this.#needles.test(bytes.toString('latin1', start, end))) return
    const text = bytes.toString('utf8', start, end)
    const lines = (this.#isFirst ? text.replace(/^\uFEFF/, '') : text).split(LINE_END)
    let event: string | null = null
    let data: string | null = null
    for (const line of lines) {
      const colon = line.indexOf(':')
      const field = colon === -1 ? line : line.slice(0, colon)
      if (field !== 'data' && field !== 'event') continue
      const from = line[colon + 1] === ' ' ? colon + 2 : colon + 1
      const value = colon === -1 ? '' : line.slice(from)
      if (field === 'event') event = value === '' ? null : value
      else data = data === null ? value : `${data}\n${value}`
    }
    if (data !== null) this.#onEvent(data, event)
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#isSkipping) return
    if (this.#carry.length === 0) this.#firstByte = piece[0] as number
    if (this.#carry.length + piece.length > this.#eventBytesMax) {
      this.#isSkipping = true
      this.#carry.clear()
    } else {
      this.#carry.append(piece)
    }
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from)
  return index === -1 ? Infinity : index
}
