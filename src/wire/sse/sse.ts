// Finds server-sent events in chunks cut anywhere, by the WHATWG rules, except that an event left
// open at the end is output, and so is a lone JSON object: some servers write errors so. Must stay
// true: only events with a needle are decoded, none is kept past its limit, no input is retained.

import { Buffer } from 'node:buffer'
import { GrowingBytes, toBuffer } from '../growing-bytes.ts'

const LF = 10
const CR = 13
const COLON = 58
const LINE_END = /\r\n|\r|\n/

export const EVENT_BYTES_MAX = 64 * 1024
/** How far from a large event's beginning its data must begin. */
const DATA_START_MAX = 1024
const DATA_START = /(?:^|[\r\n])data: ?/
const EVENT_NAME = /(?:^|[\r\n])event: ?([^\r\n]+)/

/** Reads the data of an event that is too large to keep, one line of JSON, as it comes. */
export interface LargeEvent {
  feed(bytes: Uint8Array): void
  /** False when it could not be read. */
  end(event: string | null): boolean
}

export interface SseScannerOptions {
  /** Events that do not match it as Latin-1 are skipped. Neither global nor sticky. */
  readonly needles: RegExp
  /** Counted from the event's first line to its blank line. */
  readonly eventBytesMax?: number
  onEvent(data: string, event: string | null): void
  /** Reads an event that is larger; without it, such an event is skipped. */
  readonly openLarge?: (() => LargeEvent) | undefined
  /** Receives each event that is not too large, as Latin-1, before `needles` is applied. */
  readonly onPassing?: ((event: string) => void) | undefined
}

export interface SseScanner {
  feed(bytes: Uint8Array): void
  /** Outputs the event that no blank line has closed. */
  end(): void
  /** Applies from the next event on. */
  setNeedles(needles: RegExp): void
  /** How many events were too large and could not be read. */
  readonly skippedEvents: number
}

export function createSseScanner(options: SseScannerOptions): SseScanner {
  return new ByteScanner(options)
}

class ByteScanner implements SseScanner {
  readonly #onEvent: SseScannerOptions['onEvent']
  readonly #onPassing: SseScannerOptions['onPassing']
  readonly #openLarge: SseScannerOptions['openLarge']
  readonly #eventBytesMax: number
  #needles: RegExp
  #skippedEvents = 0

  readonly #carry = new GrowingBytes()
  #firstByte = 0
  /** The open event already has a whole line. */
  #hasLine = false
  /** The open event has grown past the limit: it is read as it comes, or skipped. */
  #large: LargeEvent | null = null
  #largeName: string | null = null
  /** The data line has come whole: the rest of the event is not needed. */
  #isLargeRead = false
  #isSkipping = false
  #isLineStart = true
  /** The last byte was a CR that ended a line: an LF right after it belongs to the same end. */
  #hasOpenCr = false
  /** The open event begins at the stream's first byte, where a byte order mark may stand. */
  #isFirst = true

  constructor(options: SseScannerOptions) {
    this.#onEvent = (data, event) => options.onEvent(data, event)
    this.#onPassing = options.onPassing
    this.#openLarge = options.openLarge
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
        // A leading comment. If kept, keep-alive comments alone would exceed the limit.
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

  /** Earlier chunks contain a part of the open event. */
  #isOpen(): boolean {
    return this.#carry.length > 0 || this.#isLarge()
  }

  #isLarge(): boolean {
    return this.#large !== null || this.#isSkipping
  }

  #close(chunk: Buffer, start: number, end: number): void {
    const isInChunk = !this.#isOpen() && end - start <= this.#eventBytesMax
    if (!isInChunk) this.#keep(chunk.subarray(start, end))
    if (this.#isLarge()) this.#closeLarge()
    else if (!isInChunk) this.#handOut(this.#carry.view(), 0, this.#carry.length)
    else if (end > start) this.#handOut(chunk, start, end)
    this.#drop()
  }

  #closeLarge(): void {
    if (this.#large?.end(this.#largeName) !== true) this.#skippedEvents += 1
  }

  #drop(): void {
    this.#carry.clear()
    this.#hasLine = false
    this.#large = null
    this.#isSkipping = false
    this.#isFirst = false
  }

  #handOut(bytes: Buffer, start: number, end: number): void {
    // One pattern over a Latin-1 copy costs a third of a native search for each of five needles.
    const passing = bytes.toString('latin1', start, end)
    this.#onPassing?.(passing)
    if (!this.#needles.test(passing)) return
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
    if (data === null && text.startsWith('{')) data = text.trimEnd()
    if (data !== null) this.#onEvent(data, event)
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#isSkipping) return
    if (this.#large !== null) return this.#feedLarge(this.#large, piece)
    if (this.#carry.length === 0) this.#firstByte = piece[0] as number
    if (this.#carry.length + piece.length <= this.#eventBytesMax) {
      this.#carry.append(piece)
    } else {
      this.#startLarge(piece)
      this.#carry.clear()
    }
  }

  #startLarge(piece: Buffer): void {
    const carried = this.#carry.view()
    const head = Buffer.concat([carried, piece.subarray(0, DATA_START_MAX)])
    const start = head.toString('latin1', 0, DATA_START_MAX)
    const data = DATA_START.exec(start)
    this.#large = data === null ? null : (this.#openLarge?.() ?? null)
    this.#isSkipping = this.#large === null
    if (data === null || this.#large === null) return
    this.#largeName = EVENT_NAME.exec(start.slice(0, data.index))?.[1] ?? null
    const from = data.index + data[0].length
    this.#isLargeRead = false
    this.#feedLarge(this.#large, head.subarray(from, carried.length))
    this.#feedLarge(this.#large, piece.subarray(Math.max(0, from - carried.length)))
  }

  #feedLarge(large: LargeEvent, piece: Buffer): void {
    if (this.#isLargeRead) return
    const end = Math.min(indexOrEnd(piece, LF, 0), indexOrEnd(piece, CR, 0))
    this.#isLargeRead = end !== Infinity
    large.feed(this.#isLargeRead ? piece.subarray(0, end) : piece)
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from)
  return index === -1 ? Infinity : index
}
