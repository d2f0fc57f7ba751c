// Guards a tunnel on which not every model may be used: the caller's messages are buffered, read,
// judged and passed on unchanged. Must stay true: no byte of a message leaves before the message
// was allowed, and what cannot be read is not allowed.

import type { Meter } from '../core/telemetry.ts'
import type { MatchedOperation, NamesFound, NamesReader } from '../providers/provider.ts'
import { ByteQueue } from '../wire/byte-queue.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import { toMessageCoding, WebSocketMessages } from '../wire/websocket/websocket-messages.ts'
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
  bounds: GuardBounds,
): TunnelGuard | Refusal | null {
  if (policy === null || isJudged(policy)) return null
  const { tunnel } = operation ?? {}
  // What is compressed would have to be inflated whole before a byte of it may go on.
  if (tunnel === undefined || toMessageCoding(answer) !== 'plain') return refuseTunnel(policy)
  return new TunnelGuard({
    createNamesReader: () => tunnel.createNamesReader(),
    judge: (found) => judgeNames(found, policy),
    refuse: (reason) => refuseMessage(reason, policy),
    isNamed: policy.names.size > 0,
    ...bounds,
  })
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

export interface TunnelGuardOptions extends GuardBounds {
  /** For one message. */
  createNamesReader(): NamesReader
  /** Null where all of them may be used. */
  judge(found: NamesFound): Refusal | null
  /** For a message that cannot be read with certainty. */
  refuse(reason: string): Refusal
  readonly isNamed: boolean
}

/** The gateways' own limit for one message. */
export const GUARDED_MESSAGE_BYTES_MAX = 4_194_304
/** Control frames wait with the messages: a few more bytes, not without end. */
const WAITING_BYTES_MAX = GUARDED_MESSAGE_BYTES_MAX + 65_536

export class TunnelGuard {
  readonly #options: TunnelGuardOptions
  readonly #messages: WebSocketMessages
  readonly #waiting = new ByteQueue()
  #reservedBytes = 0
  #reader: NamesReader | null = null
  #isNamed: boolean
  #refusal: Refusal | null = null

  constructor(options: TunnelGuardOptions) {
    this.#options = options
    this.#isNamed = options.isNamed
    this.#messages = new WebSocketMessages({
      isMasked: true,
      coding: 'plain',
      messageBytesMax: GUARDED_MESSAGE_BYTES_MAX,
      onPiece: (piece) => this.#readerOfMessage().feed(piece),
      onMessage: () => this.#judge(),
    })
  }

  /** Why the tunnel has to be cut; null while all is well. */
  get refusal(): Refusal | null {
    return this.#refusal
  }

  /** Takes in what the caller sent; returns what may go on now, in memory that stays as it is. */
  pass(bytes: Buffer): Buffer {
    if (this.#refusal !== null) return NOTHING
    const settledBefore = this.#messages.settledBytes
    this.#messages.feed(bytes)
    const passed = this.#messages.settledBytes - settledBefore
    this.#judgeFrames(this.#waiting.length + bytes.length - passed)
    if (this.#refusal !== null) return NOTHING
    // Most messages come whole.
    if (this.#waiting.length === 0 && passed === bytes.length) return bytes
    this.#waiting.append(bytes)
    const allowed = Buffer.from(this.#waiting.view().subarray(0, passed))
    this.#waiting.skip(passed)
    const { pace } = this.#options
    if (this.#waiting.length === 0) pace.stop()
    else if (passed > 0) pace.restart()
    else pace.came(bytes.length)
    return allowed
  }

  /** Until now it was we who made the caller wait. */
  callerResumed(): void {
    if (this.#waiting.length > 0) this.#options.pace.restart()
  }

  checkDeadline(nowMs: number): void {
    if (this.#refusal !== null || !this.#options.pace.isOverdue(nowMs)) return
    this.#options.meter.add('limitsHit', 1, 'body_time')
    this.#refusal = refuse('bad_request', 'A message stopped coming, or came too slowly.')
  }

  /** The tunnel is over: what waited is dropped. */
  release(): void {
    this.#waiting.clear()
    this.#reserve(0)
  }

  #judge(): void {
    if (this.#refusal !== null) return
    const found = this.#readerOfMessage().end()
    this.#reader = null
    this.#refusal = this.#options.judge(found)
    this.#isNamed ||= found.kind === 'named' && found.names.length > 0
    if (!this.#isNamed) this.#refusal ??= this.#options.refuse('no message has named a model yet')
  }

  #readerOfMessage(): NamesReader {
    return (this.#reader ??= this.#options.createNamesReader())
  }

  #judgeFrames(waitingBytes: number): void {
    if (this.#refusal !== null) return
    if (this.#messages.state === 'broken') {
      this.#refusal = this.#options.refuse('it is not a sound message of a WebSocket')
    } else if (this.#messages.skipped > 0 || waitingBytes > WAITING_BYTES_MAX) {
      this.#options.meter.add('limitsHit', 1, 'policy_body_bytes')
      this.#refusal = this.#options.refuse(`it is larger than ${GUARDED_MESSAGE_BYTES_MAX} bytes`)
    } else if (!this.#reserve(waitingBytes)) {
      this.#options.meter.add('limitsHit', 1, 'policy_held_bytes')
      this.#refusal = refuse('overloaded', 'Too many messages wait to be read at once.')
    }
  }

  #reserve(bytes: number): boolean {
    const added = bytes - this.#reservedBytes
    if (added > 0 && !this.#options.budget.take(added)) return false
    if (added < 0) this.#options.budget.giveBack(-added)
    this.#reservedBytes = bytes
    return true
  }
}

const NOTHING = Buffer.alloc(0)

function refuseMessage(reason: string, policy: CallPolicy): Refusal {
  if (policy.models === null) return refuseUnread(reason, policy)
  return refuse('model_not_allowed', `This message cannot be allowed: ${reason}.`)
}
