// The messages of one direction of a WebSocket, read from a copy: frames joined, compression
// undone. Must stay true: memory is bounded, and a broken protocol ends the reading only.

import type { ResponseHead } from '../http/http-head.ts'
import type { Buffer } from 'node:buffer'

import { ByteBudget } from '../byte-budget.ts'
import { GrowingBytes, toBuffer } from '../growing-bytes.ts'
import { MessageInflater } from './message-inflater.ts'
import { OPCODE, WebSocketFrames } from './websocket-frames.ts'
import type { FrameHead, FrameSink } from './websocket-frames.ts'

export type MessageCoding = 'plain' | 'deflate'

export interface WebSocketMessagesOptions {
  readonly isMasked: boolean
  readonly coding: MessageCoding
  /** Larger messages, compressed or not, are skipped and counted. */
  readonly messageBytesMax: number
  /** What compressed messages may wait with, beyond a share of their own; nothing if left out. */
  readonly budget?: ByteBudget
  /** A text or binary message, valid until this returns. Compressed ones come after their bytes. */
  onMessage(message: Buffer): void
  /** If given, receives bytes as they come; `onMessage` then gets an empty one at each end. */
  onPiece?(piece: Buffer): void
  /** Told before each message is handed out: the number of bytes up to its end. */
  onEnd?(position: number): void
  /** A message was skipped, or nothing more is read: maybe long after its bytes came. */
  onUnread?(): void
}

export function isWebSocket(answer: ResponseHead): boolean {
  return answer.header('upgrade')?.toLowerCase() === 'websocket'
}

/** How messages are sent after a 101 answer; null where they cannot be read. */
export function toMessageCoding(answer: ResponseHead): MessageCoding | null {
  if (!isWebSocket(answer)) return null
  return parseMessageCoding(answer.lines.findAll('sec-websocket-extensions'))
}

/** What the 101 answer agreed on (RFC 6455 §9.1); null for an extension not supported here. */
export function parseMessageCoding(extensions: readonly string[]): MessageCoding | null {
  const agreed = extensions.flatMap((value) => splitOutsideQuotes(value))
  if (agreed.length === 0) return 'plain'
  const [name = ''] = (agreed[0] as string).split(';')
  return agreed.length === 1 && name.trim().toLowerCase() === 'permessage-deflate'
    ? 'deflate'
    : null
}

function splitOutsideQuotes(value: string): string[] {
  return (value.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []).filter((part) => part.trim() !== '')
}

interface Message {
  readonly isCompressed: boolean
  /** Too large, or handed out already. */
  isDone: boolean
}

/** A close frame has a code of two bytes or nothing (§5.5.1). */
const CLOSE_CODE_BYTES = 2

export class WebSocketMessages implements FrameSink {
  readonly #options: WebSocketMessagesOptions
  readonly #frames: WebSocketFrames
  readonly #inflater: MessageInflater | null
  #message: Message | null = null
  #frame: FrameHead | null = null
  readonly #kept = new GrowingBytes()
  #messageBytes = 0
  #isClosed = false
  #isBroken = false
  #hasOverflowed = false
  #skipped = 0
  #settledBytes = 0

  constructor(options: WebSocketMessagesOptions) {
    this.#options = options
    this.#frames = new WebSocketFrames(this, options.isMasked)
    this.#inflater =
      options.coding === 'plain'
        ? null
        : new MessageInflater({
            messageBytesMax: options.messageBytesMax,
            onMessage: (message) => options.onMessage(message),
            onSkipped: () => this.#skip(),
            budget: options.budget ?? new ByteBudget(0),
            onBroken: (isOverflow) => {
              this.#isBroken = true
              this.#hasOverflowed = isOverflow
              options.onUnread?.()
            },
          })
  }

  /** closed: the last message was announced, as it should be. broken: nothing more is read. */
  get state(): 'open' | 'closed' | 'broken' {
    if (this.#isBroken || this.#frames.isBroken) return 'broken'
    return this.#isClosed ? 'closed' : 'open'
  }

  /** It is broken because a limit was reached: what is read then is no fault of the sender's. */
  get hasOverflowed(): boolean {
    return this.#hasOverflowed
  }

  get skipped(): number {
    return this.#skipped
  }

  /** Bytes fed up to the end of the last whole message, or of a control frame behind it. */
  get settledBytes(): number {
    return this.#settledBytes
  }

  /** True between two messages, where one could be inserted. */
  get isBetweenMessages(): boolean {
    return this.#message === null && this.#frames.isBetween
  }

  feed(bytes: Uint8Array): void {
    if (!this.#isBroken) this.#frames.feed(toBuffer(bytes))
  }

  /** `done` is called once every whole message was handed out. */
  end(done: () => void): void {
    if (this.#inflater === null) done()
    else this.#inflater.end(done)
  }

  /** Reads nothing more; a waiting `done` is called at once. */
  cancel(): void {
    this.#isBroken = true
    this.#inflater?.cancel()
  }

  frameStarted(head: FrameHead): boolean {
    if (this.#isClosed) return false
    this.#frame = head
    const { opcode } = head
    if (opcode === OPCODE.close) return head.length === 0 || head.length >= CLOSE_CODE_BYTES
    if (opcode > OPCODE.close) return true
    const isFirst = opcode !== OPCODE.continuation
    if (isFirst === (this.#message !== null)) return false
    // Only the first frame of a message is marked as compressed.
    if (head.isCompressed && (!isFirst || this.#inflater === null)) return false
    if (isFirst) this.#messageBytes = 0
    this.#message ??= { isCompressed: head.isCompressed, isDone: false }
    this.#limit(head.length)
    return true
  }

  #limit(added: number): void {
    const message = this.#message
    if (message === null || message.isCompressed || message.isDone) return
    this.#messageBytes += added
    if (this.#messageBytes <= this.#options.messageBytesMax) return
    message.isDone = true
    this.#kept.clear()
    this.#skip()
  }

  #skip(): void {
    this.#skipped++
    this.#options.onUnread?.()
  }

  framePayload(piece: Buffer): void {
    const message = this.#message
    const frame = this.#frame as FrameHead
    if (message === null || frame.opcode >= OPCODE.close || message.isDone) return
    if (message.isCompressed) this.#inflater?.feed(piece)
    else if (this.#options.onPiece !== undefined) this.#options.onPiece(piece)
    // Most messages are one frame in one piece, and are read in place.
    else if (this.#isInPlace(frame, piece)) {
      this.#handOut(piece)
      message.isDone = true
    } else this.#kept.append(piece)
  }

  #isInPlace(frame: FrameHead, piece: Buffer): boolean {
    const isWhole = frame.isFinal && piece.length === frame.length && this.#kept.length === 0
    return isWhole && this.#options.onEnd === undefined
  }

  frameEnded(position: number): void {
    const { opcode, isFinal } = this.#frame as FrameHead
    if (opcode === OPCODE.close) this.#isClosed = true
    if (opcode < OPCODE.close && isFinal) {
      this.#options.onEnd?.(position)
      this.#endMessage()
    }
    if (this.#message === null) this.#settledBytes = position
  }

  #endMessage(): void {
    const message = this.#message as Message
    this.#message = null
    if (message.isCompressed) this.#inflater?.endMessage()
    else if (!message.isDone) this.#handOut(this.#kept.view())
    this.#kept.clear()
  }

  #handOut(message: Buffer): void {
    const inflater = this.#inflater
    if (inflater === null || inflater.isIdle) this.#options.onMessage(message)
    else inflater.addPlain(message)
  }
}
