// Finds the messages of an AWS event stream in chunks cut anywhere; a library decodes each. Must
// stay true: memory is at most one message, and nothing is read behind a wrong length or checksum.

import type { Buffer } from 'node:buffer'
import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import type * as eventStreamLibrary from '@smithy/eventstream-codec'
import { GrowingBytes, toBuffer } from '../growing-bytes.ts'

/** No service sends a larger one: a greater length means damage. */
export const STREAM_MESSAGE_BYTES_MAX = 16 * 1024 * 1024
/** A larger message is skipped by its length, and the next one is read. */
export const READ_MESSAGE_BYTES_MAX = 1024 * 1024

/** Two lengths and their checksum. */
const PRELUDE_BYTES = 12
/** At the end of a message, over all of it. */
const CHECKSUM_BYTES = 4

export interface EventStreamMessage {
  /** False for a fault that ends a stream in place of its last event. */
  readonly isEvent: boolean
  /** The name of the event or of the fault; empty when it has none. */
  readonly name: string
  readonly payload: string
}

export interface EventStreamOptions {
  /** Messages that do not match it as Latin-1 are skipped. Neither global nor sticky. */
  readonly needles: RegExp
  readonly messageBytesMax?: number
  /** Receives each payload that is not too large, as Latin-1, before `needles` is applied. */
  readonly onPassing?: ((payload: string) => void) | undefined
  onMessage(message: EventStreamMessage): void
}

export interface EventStreamScanner {
  feed(bytes: Uint8Array): void
  setNeedles(needles: RegExp): void
  readonly isBroken: boolean
  readonly isOpen: boolean
  readonly skippedMessages: number
}

export function createEventStreamScanner(options: EventStreamOptions): EventStreamScanner {
  return new MessageScanner(options)
}

class MessageScanner implements EventStreamScanner {
  readonly #onMessage: EventStreamOptions['onMessage']
  readonly #onPassing: EventStreamOptions['onPassing']
  readonly #messageBytesMax: number
  #needles: RegExp
  readonly #carry = new GrowingBytes()
  /** 0 until the open message's prelude has come. */
  #length = 0
  /** Bytes still to come of a skipped message. */
  #passing = 0
  #isBroken = false
  #skippedMessages = 0

  constructor(options: EventStreamOptions) {
    this.#onMessage = (message) => options.onMessage(message)
    this.#onPassing = options.onPassing
    this.#messageBytesMax = options.messageBytesMax ?? READ_MESSAGE_BYTES_MAX
    this.#needles = options.needles
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  get isOpen(): boolean {
    return this.#carry.length > 0 || this.#passing > 0
  }

  get skippedMessages(): number {
    return this.#skippedMessages
  }

  setNeedles(needles: RegExp): void {
    this.#needles = needles
  }

  feed(bytes: Uint8Array): void {
    const chunk = toBuffer(bytes)
    let at = 0
    while (at < chunk.length && !this.#isBroken) {
      if (this.#passing > 0) {
        const count = Math.min(this.#passing, chunk.length - at)
        this.#passing -= count
        at += count
      } else {
        at = this.#step(chunk, at)
      }
    }
  }

  /** Takes the open message's prelude or all of it, or buffers what there is. */
  #step(chunk: Buffer, at: number): number {
    const wanted = this.#length === 0 ? PRELUDE_BYTES : this.#length
    const end = at + wanted - this.#carry.length
    const isCarried = this.#carry.length > 0 || end > chunk.length
    if (isCarried) this.#carry.append(chunk.subarray(at, end))
    if (end > chunk.length) return chunk.length
    const bytes = isCarried ? this.#carry.view() : chunk.subarray(at, end)
    if (this.#length === 0) {
      this.#readPrelude(bytes)
      if (this.#passing === 0) return isCarried ? end : at
      this.#passing -= PRELUDE_BYTES
    } else {
      this.#length = 0
      this.#handOut(bytes)
    }
    this.#carry.clear()
    return end
  }

  #readPrelude(bytes: Buffer): void {
    const length = bytes.readUInt32BE(0)
    const isSound =
      length <= STREAM_MESSAGE_BYTES_MAX &&
      PRELUDE_BYTES + bytes.readUInt32BE(4) + CHECKSUM_BYTES <= length &&
      bytes.readUInt32BE(8) === crc32(bytes.subarray(0, 8))
    if (!isSound) {
      this.#isBroken = true
    } else if (length > this.#messageBytesMax) {
      this.#skippedMessages += 1
      this.#passing = length
    } else {
      this.#length = length
    }
  }

  /** A skipped message is not checked: the next prelude shows whether its length was right. */
  #handOut(bytes: Buffer): void {
    const passing = bytes.toString('latin1')
    this.#onPassing?.(passing.slice(PRELUDE_BYTES + bytes.readUInt32BE(4), -CHECKSUM_BYTES))
    if (!this.#needles.test(passing)) return
    const message = decodeMessage(bytes)
    if (message === null) this.#isBroken = true
    else this.#onMessage(message)
  }
}

function decodeMessage(bytes: Buffer): EventStreamMessage | null {
  const decoder = loadCodec()
  try {
    const { headers, body } = decoder.decode(bytes)
    const header = (name: string): string => String(headers[name]?.value ?? '')
    const isEvent = header(':message-type') === 'event'
    const name = header(':event-type') || header(':exception-type') || header(':error-code')
    return { isEvent, name, payload: toBuffer(body).toString() }
  } catch {
    return null
  }
}

type Codec = eventStreamLibrary.EventStreamCodec

let codec: Codec | null = null

// Not an import: it takes 30 ms at every start (docs/decisions/0016-event-stream-codec.md).
export function loadEventStreamCodec(): void {
  loadCodec()
}

function loadCodec(): Codec {
  if (codec === null) {
    const load = createRequire(import.meta.url)
    const library = load('@smithy/eventstream-codec') as typeof eventStreamLibrary
    codec = new library.EventStreamCodec(
      (bytes) => (typeof bytes === 'string' ? bytes : toBuffer(bytes).toString()),
      (text) => new TextEncoder().encode(text),
    )
  }
  return codec
}
