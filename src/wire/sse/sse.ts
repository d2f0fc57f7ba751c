// Finds server-sent events in chunks cut anywhere, by the WHATWG rules, except that an event left
// open at the end is output, and so is a lone JSON object: some servers write errors so. Must stay
// true: only events with a needle are decoded, no data is kept past its limit, no input retained.

import { Buffer } from 'node:buffer'
import { GrowingBytes, toBuffer } from '../growing-bytes.ts'
import { LongEvent } from './long-event.ts'
import type { LargeEvent } from './long-event.ts'

const LF = 10
const CR = 13
const COLON = 58
const OPEN_BRACE = 123
const LINE_END = /\r\n|\r|\n/

export const EVENT_BYTES_MAX = 64 * 1024
export interface SseScannerOptions {
  /** Events that do not match it as Latin-1 are skipped. Neither global nor sticky. */
  readonly needles: RegExp
  /** Beyond it an event is read line by line, and its data, if that is larger, by `openLarge`. */
  readonly eventBytesMax?: number
  onEvent(data: string, event: string | null): void
  /** Reads data that is larger; without it, such an event is skipped. */
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
  /** The open event, where it has grown past the limit. */
  #long: LongEvent | null = null
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
    return this.#carry.length > 0 || this.#long !== null
  }

  #close(chunk: Buffer, start: number, end: number): void {
    const isInChunk = !this.#isOpen() && end - start <= this.#eventBytesMax
    if (!isInChunk) this.#keep(chunk.subarray(start, end))
    if (this.#long !== null) this.#closeLong(this.#long)
    else if (!isInChunk) this.#handOut(this.#carry.view(), 0, this.#carry.length)
    else if (end > start) this.#handOut(chunk, start, end)
    this.#drop()
  }

  #closeLong(long: LongEvent): void {
    const end = long.end()
    if (end.kind === 'kept') {
      const passing = `data: ${end.data.toString('latin1')}`
      this.#onPassing?.(passing)
      if (this.#needles.test(passing)) this.#onEvent(end.data.toString(), end.event)
      return
    }
    // A lone object has no data either, and is not read at this size.
    const isObject = end.kind === 'empty' && this.#firstByte === OPEN_BRACE
    if (end.kind === 'lost' || isObject) this.#skippedEvents += 1
  }

  #drop(): void {
    this.#carry.clear()
    this.#hasLine = false
    this.#long = null
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
    if (piece.length === 0) return
    if (this.#long !== null) return this.#long.feed(piece)
    if (this.#carry.length === 0) this.#firstByte = piece[0] as number
    if (this.#carry.length + piece.length <= this.#eventBytesMax) {
      this.#carry.append(piece)
      return
    }
    const dataBytesMax = this.#eventBytesMax
    const openLarge = this.#openLarge
    this.#long = new LongEvent({ dataBytesMax, isFirst: this.#isFirst, openLarge })
    this.#long.feed(this.#carry.view())
    this.#long.feed(piece)
    this.#carry.clear()
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from)
  return index === -1 ? Infinity : index
}
