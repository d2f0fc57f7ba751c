// Guards a tunnel on which not every model may be used, or not every response may run: the caller's
// messages are buffered, read, judged and passed on unchanged. Must stay true: no byte of a message
// leaves before the message was allowed, and what cannot be read is not allowed.

import type { Meter } from '../core/telemetry.ts'
import type { MatchedOperation, NamesFound, NamesReader } from '../providers/provider.ts'
import { ByteQueue } from '../wire/byte-queue.ts'
import { GrowingBytes } from '../wire/growing-bytes.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import { toMessageCoding, WebSocketMessages } from '../wire/websocket/websocket-messages.ts'
import type { MessageCoding } from '../wire/websocket/websocket-messages.ts'
import type { ByteBudget } from '../wire/byte-budget.ts'
import type { Pace } from './pace.ts'
import { judgeNames, refuseUnread } from './policy.ts'
import type { CallPolicy } from './policy.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

interface GuardedCall {
  readonly policy: CallPolicy | null
  readonly operation: MatchedOperation | null
}

/** Null where nothing has to be read; a refusal where the messages could not be. */
export function createTunnelGuard(
  { policy, operation }: GuardedCall,
  answer: ResponseHead,
  { judgeAsk, ...options }: GuardBounds & GuardEvents & { readonly judgeAsk: JudgeAsk | null },
): TunnelGuard | Refusal | null {
  const { tunnel } = operation ?? {}
  const coding = toMessageCoding(answer)
  // Responses on what cannot be read are one call, whose reservation lasts as long as it does.
  const asks = tunnel === undefined || coding === null ? null : judgeAsk
  const isFree = policy === null || isJudged(policy)
  if (isFree && asks === null) return null
  const bounds = { ...options, coding: coding ?? 'plain', judgeAsk: asks }
  if (isFree) return new TunnelGuard({ ...bounds, names: null })
  // Of what is compressed another reader may make something else.
  if (tunnel === undefined || coding !== 'plain') return refuseTunnel(policy)
  const names: NamesJudge = {
    createNamesReader: () => tunnel.createNamesReader(),
    judge: (found) => judgeNames(found, policy),
    refuse: (reason) => refuseMessage(reason, policy),
    isNamed: policy.names.size > 0,
  }
  return new TunnelGuard({ ...bounds, names })
}

/** Used-up budgets need only a model named in the head: they never cut a running session. */
function isJudged({ models, names }: CallPolicy): boolean {
  return models === null && names.size > 0
}

function refuseTunnel(policy: CallPolicy): Refusal {
  if (policy.models === null) {
    return refuseUnread(
      'its messages could not be read; open it without permessage-deflate',
      policy,
    )
  }
  return refuse(
    'model_not_allowed',
    `The key ${policy.keyId} is restricted to certain models, and what is said on this connection could not be read for them. Open it as a WebSocket without permessage-deflate.`,
  )
}

export interface GuardBounds {
  /** Shared by all callers of a worker. */
  readonly budget: ByteBudget
  readonly meter: Meter
  /** For a message of which some is kept. */
  readonly pace: Pace
}

export interface GuardEvents {
  /** These bytes may go on; their memory stays as it is. */
  pass(bytes: Buffer): void
  /** The tunnel has to be cut; nothing passes from now on. */
  refused(refusal: Refusal): void
  /** No message waits for its verdict any more. */
  settled(): void
}

/** A message that is dropped was answered instead. */
export type Verdict = 'pass' | 'drop' | Refusal

/** False for a message that asks for no response; else `done` is called once, maybe at once. */
export type JudgeAsk = (message: Buffer, done: (verdict: Verdict) => void) => boolean

export interface NamesJudge {
  /** For one message. */
  createNamesReader(): NamesReader
  /** Null where all of them may be used. */
  judge(found: NamesFound): Refusal | null
  /** For a message that cannot be read with certainty. */
  refuse(reason: string): Refusal
  readonly isNamed: boolean
}

export interface TunnelGuardOptions extends GuardBounds, GuardEvents {
  readonly coding: MessageCoding
  /** Null where every model may be used. */
  readonly names: NamesJudge | null
  /** Null where every response may run. */
  readonly judgeAsk: JudgeAsk | null
}

/** The gateways' own limit for one message. */
export const GUARDED_MESSAGE_BYTES_MAX = 4_194_304
/** Control frames wait with the messages: a few more bytes, not without end. */
const WAITING_BYTES_MAX = GUARDED_MESSAGE_BYTES_MAX + 65_536

/** A message that has come whole. */
interface Whole {
  readonly end: number
  isRead: boolean
  verdict: Verdict | null
}

export class TunnelGuard {
  readonly #options: TunnelGuardOptions
  readonly #messages: WebSocketMessages
  readonly #waiting = new ByteQueue()
  /** The current message, unmasked, where asks are looked for. */
  readonly #message = new GrowingBytes()
  /** Oldest first; those before it have gone on or were dropped. */
  readonly #wholes: Whole[] = []
  /** How many bytes have gone on or were dropped. */
  #position = 0
  #isFeeding = false
  #reservedBytes = 0
  #reader: NamesReader | null = null
  #isNamed: boolean
  #isRefused = false

  constructor(options: TunnelGuardOptions) {
    this.#options = options
    const { coding, budget } = options
    this.#isNamed = options.names?.isNamed ?? true
    this.#messages = new WebSocketMessages({
      isMasked: true,
      coding,
      budget,
      messageBytesMax: GUARDED_MESSAGE_BYTES_MAX,
      ...(coding === 'plain' ? { onPiece: (piece: Buffer) => this.#readPiece(piece) } : {}),
      onEnd: (end) => void this.#wholes.push({ end, isRead: false, verdict: null }),
      onMessage: (message) => this.#judge(message),
      onUnread: () => this.#judgeFrames(),
    })
  }

  /** True while a message waits for its verdict: no more should be read of the caller. */
  get isWaiting(): boolean {
    return this.#wholes.length > 0
  }

  /** Takes in what the caller sent. */
  take(bytes: Buffer): void {
    if (this.#isRefused) return
    const before = this.#position
    this.#isFeeding = true
    this.#messages.feed(bytes)
    this.#isFeeding = false
    this.#judgeFrames()
    if (this.#isRefused) return
    // Most messages come whole, and need not wait.
    if (this.#waiting.length === 0 && this.#isAllowed(before + bytes.length)) {
      this.#wholes.length = 0
      this.#position += bytes.length
      return this.#options.pass(bytes)
    }
    this.#waiting.append(bytes)
    this.#release()
    this.#limit()
    const { pace } = this.#options
    if (this.#waiting.length === 0) pace.stop()
    else if (this.#position > before) pace.restart()
    else pace.came(bytes.length)
  }

  /** All bytes up to there are of messages that may go on. */
  #isAllowed(end: number): boolean {
    return (
      this.#messages.settledBytes === end && this.#wholes.every(({ verdict }) => verdict === 'pass')
    )
  }

  /** Until now it was we who made the caller wait. */
  callerResumed(): void {
    if (this.#waiting.length > 0) this.#options.pace.restart()
  }

  checkDeadline(nowMs: number): void {
    if (this.#isRefused || !this.#options.pace.isOverdue(nowMs)) return
    this.#options.meter.add('limitsHit', 1, 'body_time')
    this.#refuse(refuse('bad_request', 'A message stopped coming, or came too slowly.'))
  }

  /** The tunnel is over: what waited is dropped. */
  release(): void {
    this.#isRefused = true
    this.#messages.cancel()
    this.#waiting.clear()
    this.#message.clear()
    this.#reserve(0)
  }

  #readPiece(piece: Buffer): void {
    if (this.#options.names !== null) this.#readerOfMessage(this.#options.names).feed(piece)
    if (this.#options.judgeAsk !== null) this.#message.append(piece)
  }

  /** Compressed messages come whole, maybe long after their bytes; others have come in pieces. */
  #judge(message: Buffer): void {
    const whole = this.#wholes.find(({ isRead }) => !isRead)
    if (whole === undefined || this.#isRefused) return
    whole.isRead = true
    const { names, judgeAsk, coding } = this.#options
    if (names !== null) this.#judgeNames(names)
    if (this.#isRefused) return
    const text = coding === 'plain' ? this.#message.view() : message
    const settle = (verdict: Verdict): void => this.#settle(whole, verdict)
    if (judgeAsk === null || !judgeAsk(text, settle)) settle('pass')
    this.#message.clear()
  }

  #judgeNames(names: NamesJudge): void {
    const found = this.#readerOfMessage(names).end()
    this.#reader = null
    const refusal = names.judge(found)
    if (refusal !== null) return this.#refuse(refusal)
    this.#isNamed ||= found.kind === 'named' && found.names.length > 0
    if (!this.#isNamed) this.#refuse(names.refuse('no message has named a model yet'))
  }

  #settle(whole: Whole, verdict: Verdict): void {
    if (this.#isRefused) return
    whole.verdict = verdict
    if (this.#isFeeding) return
    this.#release()
    this.#reserve(this.#waiting.length)
    if (this.#wholes.length === 0) this.#options.settled()
  }

  /** Passes on what may go on by now, in order. */
  #release(): void {
    for (let first = this.#wholes[0]; first !== undefined; first = this.#wholes[0]) {
      if (first.verdict === null || this.#isRefused) return
      // Those before it have gone on.
      if (typeof first.verdict === 'object') return this.#refuse(first.verdict)
      this.#wholes.shift()
      this.#advance(first.end, first.verdict === 'pass')
    }
    this.#advance(this.#messages.settledBytes, true)
  }

  #advance(position: number, isPassed: boolean): void {
    const length = position - this.#position
    if (length <= 0 || this.#isRefused) return
    const bytes = Buffer.from(this.#waiting.view().subarray(0, length))
    this.#waiting.skip(length)
    this.#position = position
    if (isPassed) this.#options.pass(bytes)
  }

  #readerOfMessage(names: NamesJudge): NamesReader {
    return (this.#reader ??= names.createNamesReader())
  }

  #judgeFrames(): void {
    if (this.#messages.skipped > 0) this.#refuseLarge()
    else if (this.#messages.state === 'broken') {
      this.#refuse(this.#unread('it is not a sound message of a WebSocket'))
    }
  }

  #limit(): void {
    if (this.#waiting.length > WAITING_BYTES_MAX) this.#refuseLarge()
    else if (!this.#reserve(this.#waiting.length + this.#message.length)) {
      this.#options.meter.add('limitsHit', 1, 'policy_held_bytes')
      this.#refuse(refuse('overloaded', 'Too many messages wait to be read at once.'))
    }
  }

  #refuseLarge(): void {
    if (this.#isRefused) return
    this.#options.meter.add('limitsHit', 1, 'policy_body_bytes')
    this.#refuse(this.#unread(`it is larger than ${GUARDED_MESSAGE_BYTES_MAX} bytes`))
  }

  #unread(reason: string): Refusal {
    const { names } = this.#options
    return (
      names?.refuse(reason) ??
      refuse('bad_request', `Each response counts here, and a message cannot be read: ${reason}.`)
    )
  }

  #refuse(refusal: Refusal): void {
    if (this.#isRefused) return
    this.#isRefused = true
    this.#options.refused(refusal)
  }

  #reserve(bytes: number): boolean {
    const added = bytes - this.#reservedBytes
    if (added > 0 && !this.#options.budget.take(added)) return false
    if (added < 0) this.#options.budget.giveBack(-added)
    this.#reservedBytes = bytes
    return true
  }
}

function refuseMessage(reason: string, policy: CallPolicy): Refusal {
  if (policy.models === null) return refuseUnread(reason, policy)
  return refuse('model_not_allowed', `This message cannot be allowed: ${reason}.`)
}
