// A call that became a WebSocket, from the upgrade to its end: the tunnel, what guards it, and the
// calls that its responses are.

import { Pace } from '../../policy/pace.ts'
import { writeErrorMessage } from '../../policy/refusal.ts'
import type { Refusal } from '../../policy/refusal.ts'
import { createTunnelGuard } from '../../policy/tunnel-guard.ts'
import type { TunnelGuard } from '../../policy/tunnel-guard.ts'
import type { ResponseHead } from '../../wire/http/http-head.ts'
import { OPCODE, writeCloseFrame, writeServerFrame } from '../../wire/websocket/websocket-frames.ts'
import { toMessageCoding } from '../../wire/websocket/websocket-messages.ts'
import type { Call } from '../admission.ts'
import type { CallRecord } from '../call-record.ts'
import type { CallerSide } from '../caller-side.ts'
import { isRefusal } from '../route.ts'
import type { ProxyServices } from '../services.ts'
import type { UpstreamConnection } from '../upstream-connection.ts'
import { SocketCalls } from './socket-calls.ts'
import { Tunnel } from './tunnel.ts'
import type { TunnelTap } from './tunnel-tap.ts'

export interface SocketOptions {
  readonly call: Call
  readonly caller: CallerSide
  readonly services: ProxyServices
  readonly record: CallRecord
  releaseFirst(): void
  /** It is over; its calls have still to be ended. */
  closed(): void
}

/** The code for a message that violates a policy (RFC 6455 §7.4.1). */
const POLICY_VIOLATION = 1008
/** The code for a side that goes away. */
const GOING_AWAY = 1001

export class SocketSession {
  readonly #options: SocketOptions
  readonly #calls: SocketCalls
  #guard: TunnelGuard | null = null
  #tap: TunnelTap | null = null
  #tunnel: Tunnel | null = null
  #refusal: Refusal | null = null
  readonly #hasErrors: boolean

  private constructor(options: SocketOptions, canAnswer: boolean) {
    this.#options = options
    const { call, caller, services, record } = options
    this.#hasErrors = call.operation?.tunnel?.hasErrors === true
    const headModel = call.operation?.createModelReader(call.view)?.end() ?? null
    this.#calls = new SocketCalls({
      call,
      services,
      state: caller.state,
      record,
      releaseFirst: () => options.releaseFirst(),
      bytes: () => ({
        sent: this.#tunnel?.sentBytes ?? 0,
        received: this.#tunnel?.receivedBytes ?? 0,
      }),
      namedModel: () => headModel ?? this.#tap?.requestedModel ?? null,
      canAnswer: canAnswer && this.#hasErrors,
      answer: (refusal, id) => this.#tunnel?.insert(this.#toError(refusal, id), false),
      cut: (refusal) => this.#cut(refusal),
    })
  }

  /** A refusal where its messages would have to be read, and cannot be. */
  static create(options: SocketOptions, answer: ResponseHead): SocketSession | Refusal {
    const { call, caller, services } = options
    const { meter, limits, limiter, findKey } = services
    // A compressed message that is left out would make those behind it unreadable.
    const session = new SocketSession(options, toMessageCoding(answer) === 'plain')
    const key = findKey(call.opening.keyId as string)
    const isJudged = key === undefined || limiter.limits(key)
    const guard = createTunnelGuard(call, answer, {
      budget: caller.state.bufferBudget,
      meter,
      pace: new Pace(services, limits.policyPaceBytesMin),
      judgeAsk: isJudged ? session.#calls.ask : null,
      pass: (bytes) => session.#tunnel?.send(bytes),
      refused: (refusal) => session.#cut(refusal),
      settled: () => session.#tunnel?.resumeCaller(),
    })
    if (guard !== null && isRefusal(guard)) return guard
    session.#guard = guard
    return session
  }

  /** Each side's bytes that came before; the caller has the answer and the upstream's already. */
  open(
    upstream: UpstreamConnection,
    answer: ResponseHead,
    early: { readonly fromCaller: Buffer; readonly fromUpstream: Buffer },
  ): void {
    const { caller, services, record } = this.#options
    const { deadlines, limits, meter } = services
    this.#tap = record.tap.startTunnel(answer, this.#calls)
    this.#tunnel = new Tunnel(caller.socket, upstream, {
      tap: this.#tap,
      guard: this.#guard,
      idleUntil: () => deadlines.until(limits.tunnelIdleTimeoutMs),
      idle: () => {
        meter.add('limitsHit', 1, 'tunnel_idle')
        this.#end(writeCloseFrame(GOING_AWAY, 'Nothing was said for too long.'))
      },
      closed: () => this.#options.closed(),
    })
    caller.state.sockets.add(this)
    this.#tunnel.open(early.fromCaller, early.fromUpstream)
  }

  /** What could not be said since the last time is given up. */
  check(): void {
    if (this.#refusal !== null) this.#tunnel?.cut()
    else this.#calls.check()
  }

  checkDeadline(nowMs: number): void {
    this.#tunnel?.checkDeadline(nowMs)
  }

  #cut(refusal: Refusal): void {
    if (this.#refusal !== null) return
    this.#refusal = refusal
    const { call } = this.#options
    if (this.#hasErrors) this.#tunnel?.insert(this.#toError(refusal, call.opening.id), false)
    this.#end(writeCloseFrame(POLICY_VIOLATION, `${refusal.code}: ${refusal.message}`))
  }

  #end(frame: Buffer): void {
    this.#guard?.release()
    this.#tunnel?.insert(frame, true)
  }

  #toError(refusal: Refusal, requestId: string): Buffer {
    const { errorShape: shape } = this.#options.call.route.provider
    const text = writeErrorMessage(refusal, { requestId, shape })
    return writeServerFrame(OPCODE.text, Buffer.from(text))
  }

  /** The tunnel is over, or one of its sides. */
  close(by: 'caller' | 'upstream'): void {
    this.#options.caller.state.sockets.delete(this)
    this.#tunnel?.release()
    const isAnnounced = this.#tap?.isClosed !== false
    this.#calls.end({ by, isAnnounced, refusal: this.#refusal })
  }
}
