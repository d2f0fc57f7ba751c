// The JSON documents of a response body, be it one object, events, lines or an array. Must stay
// true: memory is bounded, and a lone object that breaks off yields what came whole.

import { GrowingBytes, toBuffer } from '../../wire/growing-bytes.ts'
import { createJsonMembers, parseJson } from '../../wire/json/json-members.ts'
import type { JsonMembers, JsonShape } from '../../wire/json/json-members.ts'
import { createSseScanner } from '../../wire/sse/sse.ts'
import type { LargeEvent } from '../../wire/sse/long-event.ts'
import { ArrayPieces, FAULTS_MAX, LinePieces, WHOLE_BYTES_MAX } from './document-pieces.ts'
import type { JsonObject } from './json-leaves.ts'
import { toObject } from './json-leaves.ts'

/** How documents may come, beside events and a lone object: one per line, or in an array. */
export type Framing = 'lines' | 'array'

export interface BodyDocumentsOptions {
  readonly contentType: string | null
  readonly framing?: Framing | undefined
  /** Members kept of a body too large, or too damaged, to parse at once. */
  readonly shape: JsonShape
  /** Events of a stream that do not match are skipped. */
  readonly needles: RegExp
  onDocument(document: JsonObject, event: string | null): void
  readonly onPassing?: ((event: string) => void) | undefined
}

export interface BodyDocuments {
  feed(bytes: Uint8Array): void
  /** Outputs what was still open. */
  end(isWhole: boolean): BodyEnd
  setNeedles(needles: RegExp): void
}

export interface BodyEnd {
  /** The body came to its end, by its framing or by its own final word. */
  readonly isComplete: boolean
  /** Something in it that should have been JSON was not. */
  readonly isMalformed: boolean
  readonly skippedEvents?: number
}

export function createBodyDocuments(options: BodyDocumentsOptions): BodyDocuments {
  return new SniffedBody(options)
}

/** Its first byte decides the kind of body. */
class SniffedBody implements BodyDocuments {
  readonly #options: BodyDocumentsOptions
  #needles: RegExp
  #body: BodyDocuments | null = null
  #skippedBytes = 0
  /** Blanks stand before the first letter, in its line: to an event stream it is no field. */
  #isIndented = false

  constructor(options: BodyDocumentsOptions) {
    this.#options = options
    this.#needles = options.needles
  }

  feed(bytes: Uint8Array): void {
    if (this.#body !== null) return this.#body.feed(bytes)
    let start = 0
    while (start < bytes.length && this.#skips(bytes[start] as number)) start++
    if (start === bytes.length) return
    this.#body = createBody(bytes[start] as number, this.#options, this.#isIndented)
    if (this.#needles !== this.#options.needles) this.#body.setNeedles(this.#needles)
    this.#body.feed(start === 0 ? bytes : bytes.subarray(start))
  }

  #skips(byte: number): boolean {
    const isLineEnd = LINE_ENDS.includes(byte)
    if (!isLineEnd && !BLANKS.includes(byte)) return false
    const isMark = BYTE_ORDER_MARK[this.#skippedBytes] === byte
    this.#isIndented = !isLineEnd && (this.#isIndented || !isMark)
    this.#skippedBytes += 1
    return true
  }

  end(isWhole: boolean): BodyEnd {
    return this.#body?.end(isWhole) ?? { isComplete: isWhole, isMalformed: false }
  }

  setNeedles(needles: RegExp): void {
    this.#needles = needles
    this.#body?.setNeedles(needles)
  }
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
/** Beside these line ends and a byte order mark: some servers keep a call alive with them. */
const BLANKS = [0x20, 0x09, ...BYTE_ORDER_MARK]
const LINE_ENDS = [0x0a, 0x0d]
const INDENT = Buffer.from(' ')
/** First letters of an event stream's lines: `data`, `event`, `id`, `retry` or a colon. */
const STREAM_STARTS = Buffer.from('deir:')
const OBJECT_STARTS = Buffer.from('{[')
const ARRAY_START = 0x5b

function createBody(
  firstByte: number,
  options: BodyDocumentsOptions,
  isIndented: boolean,
): BodyDocuments {
  const { contentType, framing } = options
  if (isEventStream(firstByte, contentType)) {
    const stream = createStream(options)
    if (isIndented) stream.feed(INDENT)
    return stream
  }
  if (framing === 'lines') return new LinePieces(options)
  if (framing === 'array' && firstByte === ARRAY_START) return new ArrayPieces(options)
  return new SingleBody(options)
}

/** Content types are wrong so often that the first byte decides. */
function isEventStream(firstByte: number, contentType: string | null): boolean {
  if (OBJECT_STARTS.includes(firstByte)) return false
  if (STREAM_STARTS.includes(firstByte)) return true
  return /^\s*text\/event-stream\b/i.test(contentType ?? '')
}

function createStream(options: BodyDocumentsOptions): BodyDocuments {
  let isFinished = false
  let faults = 0
  const scanner = createSseScanner({
    needles: options.needles,
    onPassing: options.onPassing,
    openLarge: () => openLargeEvent(options),
    onEvent(data, event) {
      if (data.trim() === '[DONE]') {
        isFinished = true
        return
      }
      const start = data.trimStart()
      // An error event is one, whatever its text.
      const isError = event === 'error'
      if ((start === '' && !isError) || faults > FAULTS_MAX) return
      const document = start.startsWith('{') ? toObject(parseJson(data)) : null
      if (document === null && start !== '') faults += 1
      if (document !== null || isError) options.onDocument(document ?? {}, event)
    },
  })
  return {
    feed: (bytes) => scanner.feed(bytes),
    end(isWhole) {
      scanner.end()
      const { skippedEvents } = scanner
      return { isComplete: isWhole || isFinished, isMalformed: faults > 0, skippedEvents }
    },
    setNeedles: (others) => scanner.setNeedles(others),
  }
}

/** A stream's last event may repeat the whole answer, images included. */
function openLargeEvent(options: BodyDocumentsOptions): LargeEvent {
  const members = createJsonMembers({ shape: options.shape })
  return {
    feed: (bytes) => members.feed(bytes),
    end(event) {
      const { kind, value } = members.end()
      if (kind === 'whole') options.onDocument(value, event)
      return kind === 'whole'
    },
  }
}

const CLOSING_BRACE = 0x7d

/** One object, read at its end, where the work delays no caller. */
class SingleBody implements BodyDocuments {
  readonly #options: BodyDocumentsOptions
  /** A body that came in one piece, as most do; one that ends in a brace cuts no character. */
  #text: string | null = null
  #kept: GrowingBytes | null = null
  #members: JsonMembers | null = null

  constructor(options: BodyDocumentsOptions) {
    this.#options = options
  }

  feed(bytes: Uint8Array): void {
    if (this.#members !== null) return this.#members.feed(bytes)
    if (this.#kept === null) {
      const isWhole = this.#text === null && bytes.at(-1) === CLOSING_BRACE
      if (isWhole && bytes.length <= WHOLE_BYTES_MAX) {
        this.#text = toBuffer(bytes).toString()
        return
      }
      this.#kept = new GrowingBytes()
      if (this.#text !== null) this.#kept.append(Buffer.from(this.#text))
      this.#text = null
    }
    if (this.#kept.length + bytes.length > WHOLE_BYTES_MAX) this.#search().feed(bytes)
    else this.#kept.append(bytes)
  }

  end(): BodyEnd {
    const text = this.#text ?? this.#kept?.view().toString() ?? null
    const document = text === null ? null : toObject(parseJson(text))
    if (document !== null) {
      this.#options.onDocument(document, null)
      return { isComplete: true, isMalformed: false }
    }
    const { kind, value } = (this.#members ?? this.#search()).end()
    this.#options.onDocument(value, null)
    return { isComplete: kind === 'whole', isMalformed: kind !== 'whole' }
  }

  setNeedles(): void {}

  #search(): JsonMembers {
    this.#members = createJsonMembers({ shape: this.#options.shape })
    if (this.#text !== null) this.#members.feed(Buffer.from(this.#text))
    if (this.#kept !== null) this.#members.feed(this.#kept.view())
    this.#text = null
    this.#kept = null
    return this.#members
  }
}
