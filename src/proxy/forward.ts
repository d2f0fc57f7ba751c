// One call from beginning to end: how the caller, the upstream and the clock affect it. Its request
// and its response pass on the bytes.

import type { ResponseHead } from '../wire/http/http-head.ts'
import { isWebSocket } from '../wire/websocket/websocket-messages.ts'
import type { Call } from './admission.ts'
import { AgentAnswer } from './agents/agent-headers.ts'
import { toAgentRefusal } from './agents/agent-refusal.ts'
import { CallRecord } from './call-record.ts'
import type { CallerSide, Exchange } from './caller-side.ts'
import type { CallOutcome } from './record.ts'
import { AnswerGuard } from '../policy/answer-guard.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { ProviderRequest } from './request.ts'
import type { RequestEvents } from './request.ts'
import { ProviderResponse } from './response.ts'
import type { KeepAlive, ResponseEvents } from './response.ts'
import { isRefusal } from './route.ts'
import type { ProxyServices } from './services.ts'
import { SocketSession } from './socket/socket-session.ts'
import type { UpstreamConnection } from './upstream-connection.ts'

type State =
  | { readonly kind: 'relaying' }
  | { readonly kind: 'socket'; readonly session: SocketSession }
  | { readonly kind: 'over' }

const RELAYING: State = { kind: 'relaying' }
const OVER: State = { kind: 'over' }

export class Forward implements Exchange, RequestEvents, ResponseEvents {
  readonly #call: Call
  readonly #caller: CallerSide
  readonly #services: ProxyServices
  readonly #record: CallRecord
  readonly #request: ProviderRequest
  readonly #response: ProviderResponse
  #state: State = RELAYING

  constructor(call: Call, caller: CallerSide, services: ProxyServices) {
    this.#call = call
    this.#caller = caller
    this.#services = services
    caller.connection.slot.begin(true)
    const record = new CallRecord(call, services, caller.state)
    const stored =
      call.credential === null
        ? null
        : new AnswerGuard(caller.state.guards.of(call.credential), services.meter, call.opening)
    const standing = call.head.method === 'POST' ? () => this.#request.standing : null
    const guard = call.isOfAgent ? new AgentAnswer(stored, standing) : stored
    const parts = { call, caller, services, record, guard, events: this }
    this.#record = record
    this.#request = new ProviderRequest(parts)
    this.#response = new ProviderResponse(parts, this.#request.body)
  }

  /** True when the caller has nothing more to send for this call. */
  get isRequestDone(): boolean {
    return this.#request.body.isDone
  }

  get isOver(): boolean {
    return this.#state.kind === 'over'
  }

  /** The response has begun, and only the end of the connection will be its end. */
  get isUntilClose(): boolean {
    return this.#response.isUntilClose
  }

  get upstream(): UpstreamConnection | null {
    return this.#request.upstream
  }

  start(): void {
    this.#request.start()
  }

  /** Takes the body's bytes from an offset on; returns the offset after the last one taken. */
  feedRequest(bytes: Buffer, from: number): number {
    const end = this.#request.feed(bytes, from)
    if (this.#request.isSent) this.#response.expectHead()
    return end
  }

  sent(): void {
    this.#response.expectHead()
  }

  callerGone(): void {
    if (this.isOver) return
    const { upstream } = this.#request
    if (this.#state.kind === 'socket') this.#endSocket('caller')
    else if (this.#record.openLine === 'none') this.#end()
    else this.#finish('aborted', null)
    upstream?.destroy()
  }

  callerDrained(): void {
    const { upstream } = this.#request
    if (this.#state.kind === 'socket' || upstream === null) return
    if (this.#response.hasBegun) this.#response.expectMore()
    upstream.socket.resume()
  }

  checkDeadline(nowMs: number): void {
    if (this.#state.kind === 'socket') {
      this.#state.session.checkDeadline(nowMs)
    } else if (this.#request.body.isOverdue(nowMs)) {
      this.#countLimit('body_time')
      this.broken(refuse('bad_request', "The request's body stopped coming, or came too slowly."))
    } else if (this.#response.isOverdue(nowMs)) {
      this.#countLimit(this.#response.hasBegun ? 'stream_idle' : 'first_byte_time')
      // While bytes wait for the caller, it is the caller who is silent: that is an abort.
      if (this.#caller.socket.writableLength > 0) this.#caller.cut()
      else this.broken(refuse('upstream_timeout', 'The provider sent nothing for too long.'))
    }
  }

  #countLimit(limit: 'body_time' | 'first_byte_time' | 'stream_idle'): void {
    this.#services.meter.add('limitsHit', 1, limit)
  }

  upstreamDrained(): void {
    const { upstream, body } = this.#request
    if (upstream === null) return
    // What was buffered goes out piece by piece, and the response is due after the last.
    if (body.wasBuffered) this.#response.expectHead()
    body.drained(upstream.socket)
  }

  upstreamEnded(): void {
    if (!this.#request.isSent) this.#request.reconnect()
    else if (!this.#response.endOfConnection()) this.upstreamClosed()
  }

  upstreamClosed(): void {
    if (!this.#request.isSent) return this.#request.reconnect()
    const message = 'The provider closed the connection before it had answered.'
    this.broken(refuse('upstream_unreachable', message))
  }

  upstreamBytes(chunk: Buffer): void {
    // Before the request has left this is a goodbye, such as 408, never an answer to this call.
    if (!this.#request.isSent) return this.#request.reconnect()
    this.#response.read(chunk)
  }

  ending(): void {
    this.#request.reservation?.vacate()
  }

  received(keepAlive: KeepAlive | null): void {
    const upstream = this.#request.detach()
    if (upstream !== null && keepAlive !== null && this.#request.body.isPassedOn) {
      this.#call.route.upstream.pool.giveBack(upstream, keepAlive.header)
    } else {
      upstream?.destroy()
    }
  }

  delivered(canContinue: boolean): void {
    // The call may have ended while its last bytes waited: its request's body broke, say.
    if (!this.isOver) this.#finish('delivered', null, canContinue)
  }

  upgraded(head: ResponseHead, rest: Buffer): void {
    if (!this.#call.head.isUpgrade || !isWebSocket(head)) {
      const message = 'The provider switched to a protocol that was not asked for.'
      return this.broken(refuse('upstream_unreachable', message))
    }
    const parts = { call: this.#call, caller: this.#caller, services: this.#services }
    const events = {
      releaseFirst: () => this.#request.reservation?.release(),
      closed: () => this.#endSocket('upstream'),
    }
    const session = SocketSession.create({ ...parts, record: this.#record, ...events }, head)
    if (isRefusal(session)) return this.broken(session)
    this.#record.upgraded()
    this.#response.expectNothing()
    this.#request.body.becomeTunnel()
    const fromCaller = this.#caller.becomeTunnel()
    this.#response.sendHead(head, `X-SVC-Request-Id: ${this.#call.opening.id}\r\n\r\n`, rest)
    this.#state = { kind: 'socket', session }
    session.open(this.upstream as UpstreamConnection, head, { fromCaller, fromUpstream: rest })
  }

  #endSocket(by: 'caller' | 'upstream'): void {
    if (this.#state.kind !== 'socket') return
    const { session } = this.#state
    this.#end()
    session.close(by)
    this.#caller.callEnded(false)
  }

  /** The call broke off: the caller gets an answer if nothing was sent yet, else it is cut too. */
  broken(given: Refusal): void {
    if (this.#state.kind !== 'relaying') return
    const { clock } = this.#services
    const refusal = this.#call.isOfAgent ? toAgentRefusal(given, clock.now()) : given
    this.#request.detach()?.destroy()
    if (this.#record.openLine === 'none') return this.#deny(refusal)
    const { code } = refusal
    const { hasBegun } = this.#response
    if (!hasBegun) {
      this.#services.meter.add('refusals', 1, code)
      this.#caller.answer(refusal, !this.isRequestDone)
    }
    // What the caller itself got wrong is no fault of the upstream's.
    const status = CALLERS_FAULTS.has(code) ? 'aborted' : 'cut'
    this.#finish(status, code, !hasBegun && this.isRequestDone)
  }

  #deny(refusal: Refusal): void {
    this.#services.meter.add('refusals', 1, refusal.code)
    this.#record.deny(refusal)
    this.#end()
    this.#caller.deny(refusal, this.#request.body.scanner)
  }

  #finish(status: CallOutcome['status'], errorCode: string | null, canContinue = false): void {
    this.#end()
    this.#record.close(status, errorCode)
    // An end would be the body's own, and make what broke off look whole.
    if (status !== 'delivered' && this.isUntilClose) this.#caller.callBrokeOff()
    else this.#caller.callEnded(canContinue)
  }

  #end(): void {
    const isSocket = this.#state.kind === 'socket'
    this.#state = OVER
    this.#caller.connection.slot.end()
    this.#request.release()
    this.#record.end()
    // A socket's connection ends by itself, once what was sent on it has gone out.
    if (!isSocket) this.#request.detach()?.destroy()
  }
}

const CALLERS_FAULTS = new Set<Refusal['code']>([
  'bad_request',
  'model_not_allowed',
  'budget_exceeded',
])
