// Undoes permessage-deflate (RFC 7692) for one direction, in the thread pool and in order. One
// decompressor serves all messages: a sender that resets its window just never points back, so what
// was agreed need not be known. Must stay true: waiting input and a message's output are bounded.

import { Buffer } from 'node:buffer'
import { createInflateRaw } from 'node:zlib'
import type { InflateRaw } from 'node:zlib'

import type { ByteBudget } from '../byte-budget.ts'
import { ByteQueue } from '../byte-queue.ts'
import { GrowingBytes } from '../growing-bytes.ts'
import { WaitingBytes } from '../waiting-bytes.ts'

export interface MessageInflaterOptions {
  /** A message that grows larger is skipped; later ones are read. */
  readonly messageBytesMax: number
  /** What may wait beyond each one's own share, shared by all of a worker. */
  readonly budget: ByteBudget
  onMessage(message: Buffer): void
  onSkipped(): void
  /** Nothing more is read; `isOverflow` where a limit was the reason. */
  onBroken(isOverflow: boolean): void
}

/** The end of every message, which its sender leaves out (RFC 7692 §7.2.1). */
const TAIL = Uint8Array.of(0, 0, 0xff, 0xff)
/** What a message takes while it waits, beside its bytes: the smallest have one. */
const MESSAGE_COST_BYTES = 256
/** Less than this of a message waits for the rest of it: each write takes a turn of the pool. */
const WRITE_BYTES_MIN = 16_384
const WRITE_BYTES_MAX = 262_144
/** A skipped message is inflated too, since later ones point back into it, but not without end. */
export const INFLATED_BYTES_MAX = 67_108_864

/** A message as it came; one that was not compressed waits until those before it are done. */
interface Waiting {
  readonly isCompressed: boolean
  readonly bytes: ByteQueue
  isWhole: boolean
}

export class MessageInflater {
  readonly #options: MessageInflaterOptions
  #stream: InflateRaw | null = null
  /** The first is being inflated, the last may still be coming. */
  readonly #queue: Waiting[] = []
  readonly #waitingBytes: WaitingBytes
  #isBusy = false
  /** The sender has ended its deflate stream with this message (RFC 7692 §7.2.3.4). */
  #isPastEnd = false
  readonly #inflated = new GrowingBytes()
  #inflatedBytes = 0
  #isBroken = false
  #done: (() => void) | null = null

  constructor(options: MessageInflaterOptions) {
    this.#options = options
    this.#waitingBytes = new WaitingBytes(options.budget)
  }

  /** True when nothing waits: an uncompressed message may be handed out at once. */
  get isIdle(): boolean {
    return this.#queue.length === 0
  }

  feed(piece: Uint8Array): void {
    const message = this.#openMessage()
    if (message === null || !this.#reserve(piece.length)) return
    message.bytes.append(piece)
    if (message.bytes.length >= WRITE_BYTES_MIN) this.#advance()
  }

  endMessage(): void {
    const message = this.#openMessage()
    if (message === null || !this.#reserve(TAIL.length)) return
    message.bytes.append(TAIL)
    message.isWhole = true
    this.#advance()
  }

  addPlain(message: Uint8Array): void {
    if (this.#isBroken || !this.#reserve(MESSAGE_COST_BYTES + message.length)) return
    const bytes = new ByteQueue()
    bytes.append(message)
    this.#queue.push({ isCompressed: false, bytes, isWhole: true })
  }

  /** `done` is called once every earlier message was handed out. */
  end(done: () => void): void {
    this.#done = done
    if (this.#isBroken) this.#settle()
    else this.#advance()
  }

  cancel(): void {
    this.#break(false)
  }

  #openMessage(): Waiting | null {
    const last = this.#queue.at(-1)
    if (this.#isBroken) return null
    if (last !== undefined && !last.isWhole) return last
    if (!this.#reserve(MESSAGE_COST_BYTES)) return null
    const opened = { isCompressed: true, bytes: new ByteQueue(), isWhole: false }
    this.#queue.push(opened)
    return opened
  }

  #advance(): void {
    while (!this.#isBusy && !this.#isBroken) {
      const message = this.#queue[0]
      // What will not become whole is not waited for.
      const isOver = message === undefined || (!message.isWhole && this.#done !== null)
      if (isOver) return this.#done === null ? undefined : this.#settle()
      if (!message.isCompressed) this.#handOutPlain(message)
      else if (message.bytes.length > 0) this.#write(message.bytes)
      else if (message.isWhole) this.#finishMessage()
      else return
    }
  }

  #write(waiting: ByteQueue): void {
    const bytes = takeSome(waiting)
    if (this.#isPastEnd) return this.#waitingBytes.remove(bytes.length)
    const stream = (this.#stream ??= this.#open())
    const before = stream.bytesWritten
    this.#isBusy = true
    stream.write(bytes, (error) => {
      if (error || stream !== this.#stream) return
      this.#isBusy = false
      this.#waitingBytes.remove(bytes.length)
      if (stream.bytesWritten - before < bytes.length) this.#endStream(stream)
      this.#advance()
    })
  }

  #open(): InflateRaw {
    const stream = createInflateRaw()
    stream.on('data', (bytes: Buffer) => this.#take(bytes))
    stream.on('error', () => this.#break(false))
    return stream
  }

  /** The next message starts a new one. */
  #endStream(stream: InflateRaw): void {
    this.#isPastEnd = true
    this.#stream = null
    stream.destroy()
  }

  #take(bytes: Buffer): void {
    this.#inflatedBytes += bytes.length
    if (this.#inflatedBytes > INFLATED_BYTES_MAX) this.#break(true)
    else if (this.#inflatedBytes <= this.#options.messageBytesMax) this.#inflated.append(bytes)
  }

  #finishMessage(): void {
    this.#queue.shift()
    this.#waitingBytes.remove(MESSAGE_COST_BYTES)
    this.#isPastEnd = false
    if (this.#inflatedBytes > this.#options.messageBytesMax) this.#options.onSkipped()
    else this.#options.onMessage(this.#inflated.view())
    this.#inflated.clear()
    this.#inflatedBytes = 0
  }

  #handOutPlain({ bytes }: Waiting): void {
    this.#queue.shift()
    this.#waitingBytes.remove(MESSAGE_COST_BYTES + bytes.length)
    this.#options.onMessage(bytes.take())
  }

  #reserve(bytes: number): boolean {
    const hasRoom = this.#waitingBytes.add(bytes)
    if (!hasRoom) this.#break(true)
    return hasRoom
  }

  #break(isOverflow: boolean): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#options.onBroken(isOverflow)
    this.#settle()
  }

  /** Over, in one way or the other: nothing is read from now on. */
  #settle(): void {
    this.#queue.length = 0
    this.#waitingBytes.clear()
    this.#inflated.clear()
    this.#stream?.destroy()
    this.#stream = null
    this.#done?.()
    this.#done = null
  }
}

function takeSome(waiting: ByteQueue): Buffer {
  if (waiting.length <= WRITE_BYTES_MAX) return waiting.take()
  const some = Buffer.from(waiting.view().subarray(0, WRITE_BYTES_MAX))
  waiting.skip(WRITE_BYTES_MAX)
  return some
}
