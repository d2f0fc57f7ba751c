// Reads the upstream's messages in a tunnel, after the caller's bytes were written; it is bounded,
// and may give up.

import type { MessageReader, Reading } from '../../providers/provider.ts'
import type { ByteBudget } from '../../wire/byte-budget.ts'
import { WebSocketMessages } from '../../wire/websocket/websocket-messages.ts'
import type { MessageCoding } from '../../wire/websocket/websocket-messages.ts'

export interface TunnelTapOptions {
  readonly reader: MessageReader
  /** Reads a model out of the caller's messages, where the upstream's do not name it. */
  readonly readModel: ((message: Uint8Array) => string | null) | null
  readonly coding: MessageCoding
  readonly budget: ByteBudget
}

/** A caller that has not named a model by then is no longer read. */
const CALLER_MESSAGES_MAX = 16

/** No message with usage comes near it; larger ones are skipped. */
export const TAPPED_MESSAGE_BYTES_MAX = 1_048_576

export class TunnelTap {
  readonly #reader: MessageReader
  readonly #messages: WebSocketMessages
  /** Null when it need not be read, or no longer. */
  #callerMessages: WebSocketMessages | null = null
  #callerMessagesLeft = CALLER_MESSAGES_MAX
  #requestedModel: string | null = null

  constructor({ reader, readModel, coding, budget }: TunnelTapOptions) {
    this.#reader = reader
    const messageBytesMax = TAPPED_MESSAGE_BYTES_MAX
    this.#messages = new WebSocketMessages({
      isMasked: false,
      coding,
      budget,
      messageBytesMax,
      onMessage: (message) => reader.read(message),
    })
    if (readModel === null) return
    this.#callerMessages = new WebSocketMessages({
      isMasked: true,
      coding,
      budget,
      messageBytesMax,
      onMessage: (message) => {
        this.#callerMessagesLeft--
        this.#requestedModel ??= readModel(message)
      },
    })
  }

  get requestedModel(): string | null {
    return this.#requestedModel
  }

  /** True where a message of our own could be put between the upstream's. */
  get isBetweenMessages(): boolean {
    return this.canInsert && this.#messages.isBetweenMessages
  }

  /** False once the upstream has closed, or cannot be read: then there is no such place. */
  get canInsert(): boolean {
    return this.#messages.state === 'open'
  }

  /** The upstream's bytes up to such a place. */
  get settledBytes(): number {
    return this.#messages.settledBytes
  }

  /** The upstream has announced its end. */
  get isClosed(): boolean {
    return this.#messages.state === 'closed'
  }

  /** What the upstream sent. */
  feed(bytes: Uint8Array): void {
    this.#messages.feed(bytes)
  }

  feedCaller(bytes: Uint8Array): void {
    if (this.#callerMessages === null) return
    this.#callerMessages.feed(bytes)
    if (this.#requestedModel === null && this.#callerMessagesLeft > 0) return
    this.#callerMessages.end(() => {})
    this.#callerMessages = null
  }

  /** Nothing more will be fed. Calls back, maybe after the tunnel, when `end` may be called. */
  whenRead(done: () => void): void {
    const caller = this.#callerMessages
    this.#messages.end(caller === null ? done : () => caller.end(done))
  }

  /** A limit was reached, and the rest of the messages was not read. */
  get hasOverflowed(): boolean {
    return this.#messages.hasOverflowed
  }

  cancel(): void {
    this.#messages.cancel()
    this.#callerMessages?.cancel()
  }

  end(isWhole: boolean): Reading {
    const { state, skipped } = this.#messages
    const reading = this.#reader.end(isWhole && state !== 'broken')
    return skipped === 0 ? reading : { ...reading, skippedEvents: skipped }
  }
}
