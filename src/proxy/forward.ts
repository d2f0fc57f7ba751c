// One call: the caller's request to the upstream and its response back, byte for byte, each piece as it
// comes. Must stay true: the caller is written before the tap is fed, the open line is in the journal
// before a byte leaves, and a request of which a byte has left is never sent again.

import type { Socket } from 'node:net'

import type { CallOpening } from '../core/usage-event.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import type { Operation, RequestView } from '../providers/provider.ts'
import { BodyScanner } from '../wire/body-scanner.ts'
import { writeRequestHead, writeResponseHead } from '../wire/forwarded-headers.ts'
import { findHeader, headerLookup } from '../wire/http-head.ts'
import type { HeaderLine, RequestHead, ResponseHead } from '../wire/http-head.ts'
import { ResponseHeadReader } from '../wire/response-head-reader.ts'
import type { OpenCalls } from './open-calls.ts'
import { isChargeable, toDeniedEvent, toUsageEvent } from './record.ts'
import type { CallOutcome } from './record.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { Route, Target } from './route.ts'
import type { ProxyServices } from './services.ts'
import type { Sweepable } from './sweep.ts'
import { Tap } from './tap.ts'
import type { UpstreamConnection, UpstreamUser } from './upstream-connection.ts'
import { connectRefusal } from './upstream-pool.ts'
import type { Connected } from './upstream-pool.ts'
import { writeJoined } from './write-joined.ts'

/** The caller's connection, as far as a call needs it. */
export interface CallerSide {
  readonly socket: Socket
  readonly calls: OpenCalls
  /** True when the connection will be closed after this response. */
  readonly isClosing: boolean
  /** Sends an answer of Weir's own; only while nothing else has been sent. */
  answer(refusal: Refusal): void
  /** The call is over. `canContinue` is false when the connection cannot carry another one. */
  callEnded(canContinue: boolean): void
  /** The connection is now a tunnel; returns bytes that came ahead of it. */
  becomeTunnel(): Buffer | null
}

export interface Call {
  readonly head: RequestHead
  readonly target: Target
  readonly route: Route
  readonly operation: Operation | null
  readonly view: RequestView
  readonly opening: CallOpening
}

export class Forward implements UpstreamUser, Sweepable {
  readonly #call: Call
  readonly #caller: CallerSide
  readonly #services: ProxyServices
  readonly #tap: Tap
  readonly #requestBody: BodyScanner
  readonly #responseHeads: ResponseHeadReader
  #responseBody: BodyScanner | null = null
  #responseHead: ResponseHead | null = null
  #upstream: UpstreamConnection | null = null
  /** When the upstream has been silent for too long, on the monotonic clock. */
  #silentUntil = Infinity
  #giveUpConnecting: (() => void) | null = null
  /** Request bytes that wait for the connection. */
  #held: Buffer[] = []
  #isOpened = false
  #isSent = false
  #isOver = false
  #isTunnel = false
  #firstByteAt: number | null = null
  #requestBytes = 0
  #responseBytes = 0

  constructor(call: Call, caller: CallerSide, services: ProxyServices) {
    this.#call = call
    this.#caller = caller
    this.#services = services
    this.#requestBody = new BodyScanner(call.head.framing)
    this.#responseHeads = new ResponseHeadReader(call.head.method, services.limits)
    this.#tap = new Tap({
      operation: call.operation,
      request: call.view,
      bytesMax: services.limits.tapBytesMax,
      meter: services.meter,
    })
    services.meter.add('openCalls', 1)
  }

  /** True when the caller has nothing more to send for this call. */
  get isRequestDone(): boolean {
    return this.#requestBody.isDone
  }

  start(): void {
    const { pool } = this.#call.route.upstream
    const idle = pool.takeIdle()
    if (idle !== null) this.#connected({ kind: 'connected', connection: idle })
    else this.#giveUpConnecting = pool.connect((result) => this.#connected(result))
  }

  /** Takes bytes of the request's body from an offset on; returns the offset behind those that were. */
  feedRequest(bytes: Buffer, from: number): number {
    const end = this.#requestBody.scan(bytes, from)
    if (this.#requestBody.fault !== null) {
      this.#fail('bad_request', `The request's body has ${this.#requestBody.fault}.`)
      return bytes.length
    }
    const body = bytes.subarray(from, end)
    if (body.length > 0) {
      this.#requestBytes += body.length
      this.#sendBody(body)
      this.#eachPayload(this.#requestBody, bytes, (payload) => this.#tap.feedRequest(payload))
    }
    return end
  }

  /** The caller left before the end. */
  callerGone(): void {
    if (this.#isOver) return
    this.#giveUpConnecting?.()
    // A tunnel ends when either side has had enough: that is no abort.
    if (this.#isOpened) this.#finish(this.#isTunnel ? 'delivered' : 'aborted', null)
    else this.#end()
    this.#upstream?.destroy()
  }

  #connected(result: Connected): void {
    this.#giveUpConnecting = null
    if (this.#isOver) {
      if (result.kind === 'connected') result.connection.destroy()
      return
    }
    if (result.kind !== 'connected') {
      this.#deny(connectRefusal(result, this.#call.route.provider.id))
      return
    }
    this.#upstream = result.connection
    result.connection.user = this
    this.#isOpened = true
    this.#caller.calls.opened()
    this.#services.journal.append({ kind: 'open', opening: this.#call.opening }, () => this.#send())
  }

  #send(): void {
    const upstream = this.#upstream
    if (this.#isOver || upstream === null) return
    this.#isSent = true
    const { head, target, route } = this.#call
    const path = route.upstream.basePath + target.forwarded
    writeJoined(upstream.socket, writeRequestHead(head, path, route.upstream.host), this.#held)
    this.#held = []
    this.#expectBytesWithin(this.#services.limits.firstByteTimeoutMs)
    this.#services.sweeper.add(this)
    if (!this.#requestBody.isDone) this.#resumeCaller()
  }

  #sendBody(body: Buffer): void {
    if (!this.#isSent) {
      this.#held.push(body)
      // Only a caller with more to send is paused: from the others we want to hear that they left.
      if (!this.#requestBody.isDone) this.#caller.socket.pause()
      return
    }
    const upstream = this.#upstream
    // An upload may take its time: the upstream owes an answer only once it has the request.
    if (this.#responseHead === null)
      this.#expectBytesWithin(this.#services.limits.firstByteTimeoutMs)
    if (upstream !== null && !upstream.socket.write(body)) this.#caller.socket.pause()
  }

  #resumeCaller(): void {
    if (this.#upstream?.socket.writableNeedDrain === false) this.#caller.socket.resume()
  }

  #detach(): UpstreamConnection | null {
    const upstream = this.#upstream
    if (upstream === null) return null
    this.#upstream = null
    upstream.user = null
    this.#caller.socket.off('drain', this.#onCallerDrain)
    return upstream
  }

  readonly #onCallerDrain = (): void => {
    this.#expectBytesWithin(this.#services.limits.streamIdleTimeoutMs)
    this.#upstream?.socket.resume()
  }

  #expectBytesWithin(limitMs: number): void {
    this.#silentUntil = this.#services.clock.monotonic() + limitMs
  }

  sweep(nowMs: number): void {
    if (nowMs < this.#silentUntil) return
    // With bytes waiting for the caller it is the caller who is silent: that is an abort like any other.
    if (this.#caller.socket.writableLength > 0) this.#caller.socket.destroy()
    else this.#fail('upstream_timeout', 'The provider sent nothing for too long.')
  }

  upstreamDrained(): void {
    if (!this.#requestBody.isDone) this.#caller.socket.resume()
  }

  upstreamEnded(): void {
    this.#responseBody?.endOfConnection()
    if (this.#responseBody?.isDone === true) this.#responseDone(null)
    else this.upstreamClosed()
  }

  upstreamClosed(): void {
    this.#fail('upstream_unreachable', 'The provider closed the connection before it had answered.')
  }

  upstreamBytes(chunk: Buffer): void {
    if (this.#responseBody === null) return this.#readHeads(chunk)
    this.#expectBytesWithin(this.#services.limits.streamIdleTimeoutMs)
    this.#relayBody(chunk, 0, null)
  }

  #readHeads(chunk: Buffer): void {
    for (let bytes = chunk; ;) {
      const step = this.#responseHeads.read(bytes)
      if (step.kind === 'incomplete') return
      if (step.kind === 'fault') {
        return this.#fail('upstream_unreachable', `The provider's answer has ${step.reason}.`)
      }
      if (step.head.status >= 200) return this.#startResponse(step.head, step.rest)
      if (step.head.status === 101) return this.#startTunnel(step.head, step.rest)
      // HTTP/1.0 knows no informational responses.
      if (this.#call.head.minor === 1) {
        this.#caller.socket.write(writeResponseHead(step.head, []), 'latin1')
      }
      bytes = step.rest
    }
  }

  #startResponse(head: ResponseHead, rest: Buffer): void {
    this.#responseHead = head
    this.#responseBody = new BodyScanner(head.framing)
    this.#firstByteAt = this.#services.clock.now()
    this.#expectBytesWithin(this.#services.limits.streamIdleTimeoutMs)
    const extra = [`X-SVC-Request-Id: ${this.#call.opening.id}`]
    if (this.#caller.isClosing || head.framing.kind === 'until-close') {
      extra.push('Connection: close')
    }
    this.#tap.startResponse({ status: head.status, header: headerLookup(head.headers) })
    this.#relayBody(rest, 0, writeResponseHead(head, extra))
  }

  /** Passes on the body's bytes, and in front of them the head if it has not been sent. */
  #relayBody(bytes: Buffer, from: number, head: string | null): void {
    const body = this.#responseBody as BodyScanner
    const end = body.scan(bytes, from)
    const { socket } = this.#caller
    const part = bytes.subarray(from, end)
    const hasRoom = head === null ? socket.write(part) : writeJoined(socket, head, [part])
    this.#responseBytes += part.length
    if (!hasRoom) {
      this.#upstream?.socket.pause()
      socket.once('drain', this.#onCallerDrain)
    }
    this.#eachPayload(body, bytes, (payload) => this.#tap.feedResponse(payload))
    if (body.fault !== null) this.#fail('upstream_unreachable', body.fault)
    else if (body.isDone) this.#responseDone(bytes.subarray(end))
  }

  /** `surplus`: bytes behind the response; null when the connection has ended. */
  #responseDone(surplus: Buffer | null): void {
    if (this.#isOver) return
    const head = this.#responseHead as ResponseHead
    const isReusable = head.isKeepAlive && this.#requestBody.isDone && surplus?.length === 0
    const upstream = this.#detach()
    if (upstream !== null && isReusable) {
      this.#call.route.upstream.pool.giveBack(upstream, findHeader(head.headers, 'keep-alive'))
    } else {
      upstream?.destroy()
    }
    const { socket } = this.#caller
    const canContinue = this.#requestBody.isDone && head.framing.kind !== 'until-close'
    if (socket.writableLength === 0) return this.#finish('delivered', null, canContinue)
    // A response counts as delivered when the last byte has left, not when it waits here.
    socket.write('', () => {
      if (!socket.destroyed) this.#finish('delivered', null, canContinue)
    })
  }

  #startTunnel(head: ResponseHead, rest: Buffer): void {
    const connection = this.#upstream as UpstreamConnection
    const { socket } = this.#caller
    const upstream = connection.socket
    this.#responseHead = head
    this.#firstByteAt = this.#services.clock.now()
    this.#isTunnel = true
    this.#silentUntil = Infinity
    connection.user = null
    const ahead = this.#caller.becomeTunnel()
    if (ahead !== null) upstream.write(ahead)
    const id = `X-SVC-Request-Id: ${this.#call.opening.id}`
    writeJoined(socket, writeResponseHead(head, [id]), [rest])
    // pipe passes on the end of each direction on its own, so half-closed tunnels go on.
    socket.pipe(upstream)
    upstream.pipe(socket)
    upstream.once('close', () => {
      if (!this.#isOver) this.#finish('delivered', null)
    })
  }

  /** Weir's own answer to a call that never left. */
  #deny(refusal: Refusal): void {
    const { journal, clock, meter } = this.#services
    meter.add('refusals', 1, refusal.code)
    const event = toDeniedEvent(this.#call.opening, refusal, clock.now())
    journal.append({ kind: 'close', event })
    this.#caller.answer(refusal)
    this.#end()
    this.#caller.callEnded(this.#requestBody.isDone)
  }

  /** The call broke off. While nothing has been sent the caller gets an answer; else it is cut as well. */
  #fail(code: WeirErrorCode, message: string): void {
    if (this.#isOver || this.#isTunnel) return
    this.#giveUpConnecting?.()
    this.#detach()?.destroy()
    const isAnswered = this.#responseHead !== null
    const refusal = refuse(code, message)
    if (!this.#isOpened) return this.#deny(refusal)
    if (!isAnswered) {
      this.#services.meter.add('refusals', 1, code)
      this.#caller.answer(refusal)
    }
    this.#finish('cut', code, !isAnswered && this.#requestBody.isDone)
  }

  #finish(status: CallOutcome['status'], errorCode: string | null, canContinue = false): void {
    const { clock, journal, log, meter } = this.#services
    const { head, opening } = this.#call
    const response = this.#responseHead
    const httpStatus = response?.status ?? null
    if (this.#isTunnel && this.#upstream !== null) {
      this.#requestBytes = this.#upstream.socket.bytesWritten
      this.#responseBytes = this.#upstream.socket.bytesRead
    }
    this.#end()
    const outcome: CallOutcome = {
      status,
      chargeable: isChargeable(opening, head.method, httpStatus),
      httpStatus,
      errorCode,
      streamed: response !== null && isEventStream(response.headers),
      firstByteAt: this.#firstByteAt,
      endedAt: clock.now(),
      requestBytes: this.#requestBytes,
      responseBytes: this.#responseBytes,
    }
    this.#caller.callEnded(canContinue)
    this.#tap.end(status === 'delivered', (tapped) => {
      const event = toUsageEvent(opening, outcome, tapped)
      meter.add('requests', 1, opening.provider, event.status)
      journal.append({ kind: 'close', event })
      this.#caller.calls.closed()
      const { id, keyId, provider } = opening
      const durationMs = event.endedAt - event.startedAt
      log.debug({ id, keyId, provider, status: event.status, httpStatus, durationMs }, 'call ended')
    })
  }

  #end(): void {
    this.#isOver = true
    this.#services.sweeper.delete(this)
    this.#services.meter.add('openCalls', -1)
    if (!this.#isTunnel) this.#detach()?.destroy()
  }

  #eachPayload(scanner: BodyScanner, bytes: Buffer, use: (payload: Buffer) => void): void {
    const { payload } = scanner
    for (let at = 0; at < payload.length; at += 2) use(bytes.subarray(payload[at], payload[at + 1]))
  }
}

function isEventStream(headers: readonly HeaderLine[]): boolean {
  return findHeader(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') === true
}
