// Undoes permessage-deflate (RFC 7692) for one direction, in the thread pool and in order. One
// decompressor serves all messages: a sender that resets its window just never points back, so what
// was agreed need not be known. Must stay true: waiting input and a message's output are bounded.

import type { Buffer } from 'node:buffer'
import { createInflateRaw } from 'node:zlib'
import type { InflateRaw } from 'node:zlib'

import { GrowingBytes } from '../growing-bytes.ts'

export interface MessageInflaterOptions {
  /** A message that grows larger is skipped; later ones are read. */
  readonly messageBytesMax: number
  onMessage(message: Buffer): void
  onSkipped(): void
  onBroken(): void
}

/** The end of every message, which its sender leaves out (RFC 7692 §7.2.1). */
const TAIL = Uint8Array.of(0, 0, 0xff, 0xff)
/** Bytes that may wait for the thread pool. */
const WAITING_BYTES_MAX = 8_388_608
/** A skipped message is inflated too, since later ones point back into it, but not without end. */
const INFLATED_BYTES_MAX = 67_108_864

export class MessageInflater {
  readonly #options: MessageInflaterOptions
  #stream: InflateRaw | null = null
  /** In order: messages that were not compressed, and null for one that was. */
  readonly #queue: (Buffer | null)[] = []
  #plainBytes = 0
  readonly #inflated = new GrowingBytes()
  #inflatedBytes = 0
  #isBroken = false
  #done: (() => void) | null = null

  constructor(options: MessageInflaterOptions) {
    this.#options = options
  }

  /** True when nothing waits: an uncompressed message may be handed out at once. */
  get isIdle(): boolean {
    return this.#queue.length === 0
  }

  /** `piece` must not change afterwards. */
  feed(piece: Uint8Array): void {
    if (this.#isBroken) return
    const stream = (this.#stream ??= this.#open())
    if (stream.writableLength + piece.length > WAITING_BYTES_MAX) this.#break()
    else stream.write(piece)
  }

  endMessage(): void {
    if (this.#isBroken) return
    const stream = (this.#stream ??= this.#open())
    this.#queue.push(null)
    stream.write(TAIL, (error) => {
      if (!error && stream === this.#stream) this.#finishMessage()
    })
  }

  /** An uncompressed message waits until those before it are done. */
  addPlain(message: Buffer): void {
    if (this.#isBroken) return
    this.#plainBytes += message.length
    if (this.#plainBytes > WAITING_BYTES_MAX) this.#break()
    else this.#queue.push(message)
  }

  /** `done` is called once every earlier message was handed out. */
  end(done: () => void): void {
    this.#done = done
    if (this.isIdle || this.#isBroken) this.#settle()
  }

  #open(): InflateRaw {
    const stream = createInflateRaw()
    stream.on('data', (bytes: Buffer) => this.#take(bytes))
    stream.on('error', () => this.#break())
    stream.on('end', () => {
      // A sender may end its deflate stream with a message (RFC 7692 §7.2.3.4) and start a new one.
      if (this.#isBroken || stream !== this.#stream) return
      this.#stream = null
      if (this.#queue.filter((message) => message === null).length === 1) this.#finishMessage()
      else this.#break()
    })
    return stream
  }

  #take(bytes: Buffer): void {
    this.#inflatedBytes += bytes.length
    if (this.#inflatedBytes > INFLATED_BYTES_MAX) this.#break()
    else if (this.#inflatedBytes <= this.#options.messageBytesMax) this.#inflated.append(bytes)
  }

  #finishMessage(): void {
    if (this.#isBroken) return
    this.#queue.shift()
    if (this.#inflatedBytes > this.#options.messageBytesMax) this.#options.onSkipped()
    else this.#options.onMessage(this.#inflated.view())
    this.#inflated.clear()
    this.#inflatedBytes = 0
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      this.#queue.shift()
      this.#plainBytes -= next.length
      this.#options.onMessage(next)
    }
    if (this.isIdle) this.#settle()
  }

  #break(): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#queue.length = 0
    this.#options.onBroken()
    this.#settle()
  }

  #settle(): void {
    if (this.#isBroken || this.#done !== null) {
      this.#stream?.destroy()
      this.#stream = null
    }
    this.#done?.()
    this.#done = null
  }
}
