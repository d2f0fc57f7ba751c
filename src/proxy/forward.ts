// One call: the caller's request to the upstream and its response back, byte for byte, each piece as it
// comes. Must stay true: the caller is written before the tap is fed (but for the last piece, where it is to wait for
// the record), the open line is in the journal before a byte leaves, and a request of which a byte has left is never
// sent again.

import { BodyScanner } from '../wire/http/body-scanner.ts'
import { writeRequestHead, writeResponseHead } from '../wire/http/forwarded-headers.ts'
import { isFault } from '../wire/http/http-head.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import { ResponseHeadReader } from '../wire/http/response-head-reader.ts'
import type { Call } from './admission.ts'
import { CallRecord } from './call-record.ts'
import type { CallerSide } from './caller-side.ts'
import { toLimitedCall } from './to-limited-call.ts'
import type { Reservation } from '../limits/limiter.ts'
import type { CallOutcome } from './record.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { RequestBody } from './request-body.ts'
import { isRefusal } from './route.ts'
import type { ProxyServices } from './services.ts'
import { createTunnelGuard } from '../policy/tunnel-guard.ts'
import { Tunnel } from './tunnel.ts'
import type { UpstreamConnection, UpstreamUser } from './upstream-connection.ts'
import { connectRefusal } from './upstream-pool.ts'
import type { Connected } from './upstream-pool.ts'

/** New connections that are tried for one call while none of its bytes has left: idle ones may all be stale, new ones not. */
const CONNECTS_MAX = 3

/** What the response's head told of its connection, for when its bytes are gone. */
interface Answer {
  readonly isKeepAlive: boolean
  readonly keepAlive: string | null
}

export class Forward implements UpstreamUser {
  readonly #call: Call
  readonly #caller: CallerSide
  readonly #services: ProxyServices
  readonly #record: CallRecord
  readonly #requestBody: RequestBody
  readonly #responseHeads: ResponseHeadReader
  #responseBody: BodyScanner | null = null
  #answer: Answer | null = null
  #upstream: UpstreamConnection | null = null
  /** When the upstream has been silent for too long. */
  #silentUntil = Infinity
  #giveUpConnecting: (() => void) | null = null
  /** At the gate; null for calls that need not ask. */
  #visit: Reservation | null = null
  #connects = 0
  #isStarted = false
  #isAwaitingModel = false
  /** The open line is in the journal. */
  #isWritten = false
  #isSent = false
  #isOver = false
  #tunnel: Tunnel | null = null
  #isTunnel = false

  constructor(call: Call, caller: CallerSide, services: ProxyServices) {
    this.#call = call
    this.#caller = caller
    this.#services = services
    this.#record = new CallRecord(call, services, caller.state)
    this.#requestBody = new RequestBody({
      call,
      caller,
      services,
      record: this.#record,
      judged: (refusal) => this.#judged(refusal),
    })
    this.#responseHeads = new ResponseHeadReader(call.head.method, services.limits)
  }

  /** True when the caller has nothing more to send for this call. */
  get isRequestDone(): boolean {
    return this.#requestBody.isDone
  }

  start(): void {
    this.#isStarted = true
    if (this.#requestBody.isHeld) this.#requestBody.askForMore()
    else if (this.#isModelAhead()) this.#isAwaitingModel = true
    else this.#enter()
  }

  /** Many callers send head and body apart: what a call reserves under budgets of models is known with the first of the body. */
  #isModelAhead(): boolean {
    const { limitedKey, operation, head } = this.#call
    if (limitedKey === null || operation === null || !this.#services.gate.hasModels) return false
    // Whoever waits to be told to go on is told by the upstream.
    if (head.framing.kind !== 'length' || head.isExpecting) return false
    return !this.#requestBody.isDone && this.#requestBody.waiting.length === 0
  }

  #judged(refusal: Refusal | null): void {
    if (this.#isOver) return
    if (refusal !== null) this.#fail(refusal)
    else if (this.#isStarted) this.#enter()
  }

  /** Most calls are not limited. The others wait for the gate as they wait for a connection. */
  #enter(): void {
    const { limitedKey } = this.#call
    if (limitedKey === null) return this.#connect()
    const limitedCall = toLimitedCall(this.#call, limitedKey, () => this.#requestBody.waiting)
    const visit = this.#services.gate.enter(limitedCall, (refusal) => {
      if (this.#isOver) return
      if (refusal !== null) return this.#fail(refusal)
      this.#connect()
    })
    // It may be over before we know that it was let in.
    if (this.#isOver) visit.leave()
    else this.#visit = visit
  }

  #connect(): void {
    const { pool } = this.#call.route.upstream
    const idle = pool.takeIdle()
    if (idle !== null) return this.#useConnection(idle)
    this.#connects++
    this.#record.connecting()
    this.#giveUpConnecting = pool.connect((result) => this.#connected(result))
  }

  /** Takes bytes of the request's body from an offset on; returns the offset behind those that were. */
  feedRequest(bytes: Buffer, from: number): number {
    const body = this.#requestBody
    const end = body.feed(bytes, from)
    if (body.fault !== null) {
      this.#fail(refuse('bad_request', `The request's body has ${body.fault}.`))
      return bytes.length
    }
    if (this.#isAwaitingModel && body.waiting.length > 0) {
      this.#isAwaitingModel = false
      this.#record.received()
      this.#enter()
    }
    // An upload may take its time: the upstream owes an answer only once it has the request.
    if (this.#isSent && this.#answer === null) this.#expectAnswer()
    return end
  }

  /** The caller left before the end. */
  callerGone(): void {
    if (this.#isOver) return
    this.#giveUpConnecting?.()
    const upstream = this.#upstream
    // A tunnel ends when either side has had enough: that is no abort.
    if (this.#record.isOpened) this.#finish(this.#isTunnel ? 'delivered' : 'aborted', null)
    else this.#end()
    upstream?.destroy()
  }

  callerDrained(): void {
    if (this.#isTunnel || this.#upstream === null || this.#answer === null) return
    this.#expectBytes(this.#services.limits.streamIdleTimeoutMs)
    this.#upstream.socket.resume()
  }

  #connected(result: Connected): void {
    this.#giveUpConnecting = null
    this.#record.connected()
    if (this.#isOver) {
      if (result.kind === 'connected') result.connection.destroy()
    } else if (result.kind === 'connected') {
      this.#useConnection(result.connection)
    } else {
      this.#fail(connectRefusal(result, this.#call.route.provider.id))
    }
  }

  #useConnection(connection: UpstreamConnection): void {
    this.#upstream = connection
    connection.user = this
    if (this.#isWritten) return this.#send()
    if (this.#record.isOpened) return
    this.#record.open(() => {
      this.#isWritten = true
      this.#send()
    })
  }

  /** The upstream gave the connection up before a byte of this call had left: another one will do. */
  #reconnect(): void {
    this.#detach()?.destroy()
    if (this.#connects < CONNECTS_MAX) return this.#connect()
    const message = 'The provider closed each connection before the request was sent.'
    this.#fail(refuse('upstream_unreachable', message))
  }

  #send(): void {
    const upstream = this.#upstream
    if (this.#isOver || upstream === null) return
    this.#isSent = true
    const { head, requestLine, route } = this.#call
    const { sendBuffer } = this.#caller.state
    const { host } = route.upstream
    const bytes = sendBuffer.reserveHead(head.lines, requestLine.length + host.length)
    const length = writeRequestHead(head, { requestLine, host }, { bytes, at: 0 })
    const body = this.#requestBody
    sendBuffer.send(upstream.socket, length, body.takeFirst(upstream.socket))
    this.#record.sent()
    body.readFirst()
    this.#expectAnswer()
    if (body.wasHeld || !body.isDone) this.upstreamDrained()
  }

  #detach(): UpstreamConnection | null {
    const upstream = this.#upstream
    if (upstream === null) return null
    this.#upstream = null
    this.#requestBody.stop()
    upstream.user = null
    return upstream
  }

  #expectAnswer(): void {
    this.#expectBytes(this.#services.limits.firstByteTimeoutMs)
  }

  #expectBytes(limitMs: number): void {
    this.#silentUntil = this.#services.deadlines.until(limitMs)
  }

  sweep(nowMs: number): void {
    if (this.#requestBody.isOverdue(nowMs)) {
      this.#countLimit('body_time')
      this.#fail(refuse('bad_request', "The request's body stopped coming."))
    } else if (nowMs >= this.#silentUntil) {
      this.#countLimit(this.#answer === null ? 'first_byte_time' : 'stream_idle')
      // With bytes waiting for the caller it is the caller who is silent: that is an abort like any other.
      if (this.#caller.socket.writableLength > 0) this.#caller.socket.destroy()
      else this.#fail(refuse('upstream_timeout', 'The provider sent nothing for too long.'))
    }
  }

  #countLimit(limit: 'body_time' | 'first_byte_time' | 'stream_idle'): void {
    this.#services.meter.add('limitsHit', 1, limit)
  }

  upstreamDrained(): void {
    const upstream = this.#upstream
    if (upstream === null) return
    // What was held goes out piece by piece, and the answer is owed behind the last.
    if (this.#requestBody.wasHeld && this.#answer === null) this.#expectAnswer()
    this.#requestBody.drained(upstream.socket)
  }

  upstreamEnded(): void {
    if (!this.#isSent) return this.#reconnect()
    this.#responseBody?.endOfConnection()
    if (this.#responseBody?.isDone === true) this.#responseDone(false)
    else this.upstreamClosed()
  }

  upstreamClosed(): void {
    if (!this.#isSent) return this.#reconnect()
    const message = 'The provider closed the connection before it had answered.'
    this.#fail(refuse('upstream_unreachable', message))
  }

  upstreamBytes(chunk: Buffer): void {
    // Unasked: a goodbye such as 408 to whoever lay idle here, never an answer to this call.
    if (!this.#isSent) return this.#reconnect()
    const body = this.#responseBody
    if (body === null) return this.#readHeads(chunk)
    this.#expectBytes(this.#services.limits.streamIdleTimeoutMs)
    const end = body.scan(chunk, 0)
    const part = slice(chunk, 0, end)
    if (this.#isRecordedFirst(body)) {
      const last = Buffer.from(part)
      return this.#recordFirst(chunk, end, () => this.#caller.socket.write(last))
    }
    const upstream = this.#upstream as UpstreamConnection
    this.#passedOn(chunk, end, upstream.relay(part, this.#caller.socket))
  }

  #readHeads(chunk: Buffer): void {
    const arrivedAt = this.#services.clock.monotonic()
    const heads = this.#responseHeads
    for (let bytes = chunk; ; bytes = heads.rest) {
      const head = heads.read(bytes)
      if (head === null) return
      if (isFault(head)) {
        const message = `The provider's answer has ${head.fault}.`
        return this.#fail(refuse('upstream_unreachable', message))
      }
      if (head.status === 101) return this.#startTunnel(head, heads.rest)
      if (head.status >= 200) return this.#startResponse(head, heads.rest, arrivedAt)
      this.#requestBody.isContinued = true
      // HTTP/1.0 knows no informational responses, and nobody needs to be told twice to go on.
      const isTold = head.status === 100 && this.#requestBody.hasToldToContinue
      if (this.#call.head.minor === 1 && !isTold) this.#sendHead(head, '\r\n', null)
    }
  }

  #sendHead(head: ResponseHead, ending: string, part: Buffer | null): boolean {
    const { length } = this.#writeHead(head, ending)
    const { sendBuffer } = this.#caller.state
    return sendBuffer.send(this.#caller.socket, length, part === null ? [] : [part])
  }

  /** Into the send buffer: good until the next one. */
  #writeHead(head: ResponseHead, ending: string): Buffer {
    const bytes = this.#caller.state.sendBuffer.reserveHead(head.lines, ending.length)
    return bytes.subarray(0, writeResponseHead(head, ending, { bytes, at: 0 }))
  }

  #startResponse(head: ResponseHead, rest: Buffer, arrivedAt: number): void {
    this.#noteAnswer(head)
    this.#expectBytes(this.#services.limits.streamIdleTimeoutMs)
    const body = new BodyScanner(head.framing)
    this.#responseBody = body
    const isClosing = this.#caller.willClose() || head.framing.kind === 'until-close'
    const id = `X-SVC-Request-Id: ${this.#call.opening.id}\r\n`
    const end = body.scan(rest, 0)
    const part = slice(rest, 0, end)
    const ending = `${id}${isClosing ? CLOSE_LINE : '\r\n'}`
    if (this.#isRecordedFirst(body)) {
      const whole = Buffer.concat([this.#writeHead(head, ending), part])
      this.#record.tap.startResponse(head)
      return this.#recordFirst(rest, end, () => {
        this.#caller.socket.write(whole)
        this.#record.passedOn(arrivedAt)
      })
    }
    const hasRoom = this.#sendHead(head, ending, part)
    this.#record.passedOn(arrivedAt)
    this.#record.tap.startResponse(head)
    this.#passedOn(rest, end, hasRoom)
  }

  #isRecordedFirst(body: BodyScanner): boolean {
    return this.#services.recordsFirst && body.isDone && body.fault === null
  }

  /** `deliver` sends the last piece, once no kill can come between it and the call's line. */
  #recordFirst(bytes: Buffer, end: number, deliver: () => void): void {
    this.#read(bytes, end)
    this.#release(end === bytes.length)
    this.#silentUntil = Infinity
    this.#record.close('delivered', null, () => {
      if (this.#isOver) return
      deliver()
      this.#delivered()
    })
  }

  #noteAnswer(head: ResponseHead): void {
    this.#answer = { isKeepAlive: head.isKeepAlive, keepAlive: head.header('keep-alive') }
    this.#record.answered({
      status: head.status,
      isStreamed: isEventStream(head.header('content-type')),
      isTunnel: this.#isTunnel,
    })
  }

  /** The caller has been given the bytes up to `end`: now the tap reads them, and the rest is looked at. */
  #passedOn(bytes: Buffer, end: number, hasRoom: boolean): void {
    const body = this.#responseBody as BodyScanner
    if (!hasRoom) this.#upstream?.socket.pause()
    this.#read(bytes, end)
    if (body.fault !== null) this.#fail(refuse('upstream_unreachable', body.fault))
    else if (body.isDone) this.#responseDone(end === bytes.length)
  }

  #read(bytes: Buffer, end: number): void {
    this.#record.responseBytes += end
    const { payload } = this.#responseBody as BodyScanner
    for (let at = 0; at < payload.length; at += 2) {
      this.#record.tap.feedResponse(slice(bytes, payload[at] as number, payload[at + 1] as number))
    }
  }

  /** `isClean`: the connection goes on, and nothing came behind the response. */
  #responseDone(isClean: boolean): void {
    if (this.#isOver) return
    this.#release(isClean)
    if (!this.#services.recordsFirst) return this.#delivered()
    // The end of the connection is the end of the answer: it waits as a last piece does.
    this.#record.close('delivered', null, () => {
      if (!this.#isOver) this.#delivered()
    })
  }

  #release(isClean: boolean): void {
    const { isKeepAlive, keepAlive } = this.#answer as Answer
    const upstream = this.#detach()
    if (upstream !== null && isClean && isKeepAlive && this.#requestBody.isPassedOn) {
      this.#call.route.upstream.pool.giveBack(upstream, keepAlive)
    } else {
      upstream?.destroy()
    }
  }

  #delivered(): void {
    const { socket } = this.#caller
    const canContinue = this.#requestBody.isDone && this.#responseBody?.isUntilClose === false
    if (socket.writableLength === 0) return this.#finish('delivered', null, canContinue)
    // A response counts as delivered when the last byte has left, not when it waits here.
    socket.write('', () => {
      if (!socket.destroyed) this.#finish('delivered', null, canContinue)
    })
  }

  #startTunnel(head: ResponseHead, rest: Buffer): void {
    const { meter } = this.#services
    const budget = this.#caller.state.bufferBudget
    const guard = createTunnelGuard(this.#call, head, { budget, meter })
    if (guard !== null && isRefusal(guard)) return this.#fail(guard)
    const connection = this.#upstream as UpstreamConnection
    this.#isTunnel = true
    this.#noteAnswer(head)
    this.#silentUntil = Infinity
    this.#requestBody.becomeTunnel()
    const ahead = this.#caller.becomeTunnel()
    this.#sendHead(head, `X-SVC-Request-Id: ${this.#call.opening.id}\r\n\r\n`, rest)
    this.#tunnel = new Tunnel(this.#caller.socket, connection, {
      tap: this.#record.tap.startTunnel(head),
      guard,
      closed: (refusal) => this.#tunnelClosed(refusal),
    })
    this.#tunnel.open(ahead, rest)
  }

  #tunnelClosed(refusal: Refusal | null): void {
    if (this.#isOver) return
    if (refusal === null) return this.#finish('delivered', null)
    this.#services.meter.add('refusals', 1, refusal.code)
    this.#finish('aborted', refusal.code)
  }

  /** Weir's own answer to a call that never left. */
  #deny(refusal: Refusal): void {
    this.#services.meter.add('refusals', 1, refusal.code)
    this.#record.deny(refusal)
    this.#end()
    this.#caller.deny(refusal, this.#requestBody.scanner)
  }

  /** The call broke off. While nothing has been sent the caller gets an answer; else it is cut as well. */
  #fail(refusal: Refusal): void {
    if (this.#isOver || this.#isTunnel) return
    this.#giveUpConnecting?.()
    this.#detach()?.destroy()
    if (!this.#record.isOpened) return this.#deny(refusal)
    const { code } = refusal
    const isAnswered = this.#answer !== null
    if (!isAnswered) {
      this.#services.meter.add('refusals', 1, code)
      this.#caller.answer(refusal)
    }
    // What the caller itself got wrong is no fault of the upstream's.
    const status = CALLERS_FAULTS.has(code) ? 'aborted' : 'cut'
    this.#finish(status, code, !isAnswered && this.#requestBody.isDone)
  }

  #finish(status: CallOutcome['status'], errorCode: string | null, canContinue = false): void {
    if (this.#tunnel !== null) {
      this.#record.requestBytes = this.#tunnel.sentBytes
      this.#record.responseBytes = this.#tunnel.receivedBytes
      this.#tunnel.release()
    }
    this.#end()
    this.#record.close(status, errorCode)
    this.#caller.callEnded(canContinue)
  }

  #end(): void {
    this.#isOver = true
    this.#visit?.leave()
    this.#requestBody.release()
    this.#record.end()
    if (!this.#isTunnel) this.#detach()?.destroy()
  }
}

/** Most pieces are wanted whole, and a view of them costs as much as reading a short one. */
function slice(bytes: Buffer, start: number, end: number): Buffer {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
}

const CALLERS_FAULTS = new Set<Refusal['code']>([
  'bad_request',
  'model_not_allowed',
  'budget_exceeded',
])

const CLOSE_LINE = 'Connection: close\r\n\r\n'

function isEventStream(contentType: string | null): boolean {
  return contentType !== null && /^text\/event-stream/i.test(contentType)
}
