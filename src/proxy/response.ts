// The provider's response on its way to the caller: heads and body, byte for byte, each piece as it
// comes. Must stay true: the caller is written before the tap, but for a last piece that waits.

import { BodyScanner, slice } from '../wire/http/body-scanner.ts'
import { writeResponseHead } from '../wire/http/forwarded-headers.ts'
import { isFault } from '../wire/http/http-head.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import { ResponseHeadReader } from '../wire/http/response-head-reader.ts'
import type { Call } from './admission.ts'
import type { CallRecord } from './call-record.ts'
import type { CallerSide } from './caller-side.ts'
import type { ResponseGuard } from '../policy/answer-guard.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { RequestBody } from './request-body.ts'
import { isLarge } from './request-reader.ts'
import type { ProxyServices } from './services.ts'
import type { UpstreamConnection } from './upstream-connection.ts'

export interface ResponseOptions {
  readonly call: Call
  readonly caller: CallerSide
  readonly services: ProxyServices
  readonly record: CallRecord
  /** Null where the response goes on as it is. */
  readonly guard: ResponseGuard | null
  readonly events: ResponseEvents
}

export interface ResponseEvents {
  readonly isOver: boolean
  readonly upstream: UpstreamConnection | null
  /** `rest` came after the head. */
  upgraded(head: ResponseHead, rest: Buffer): void
  broken(refusal: Refusal): void
  /** Its last bytes are about to leave. */
  ending(): void
  /** All of it has come. With null `keepAlive` the connection cannot be used again. */
  received(keepAlive: KeepAlive | null): void
  delivered(canContinue: boolean): void
}

export interface KeepAlive {
  readonly header: string | null
}

/** Heads with a status of 1xx before the response's own. */
const INFORMATIONAL_MAX = 100

export class ProviderResponse {
  readonly #options: ResponseOptions
  readonly #requestBody: RequestBody
  readonly #heads: ResponseHeadReader
  #body: BodyScanner | null = null
  #keepAlive: KeepAlive | null = null
  #silentUntil = Infinity
  #informational = 0

  constructor(options: ResponseOptions, requestBody: RequestBody) {
    this.#options = options
    this.#requestBody = requestBody
    this.#heads = new ResponseHeadReader(options.call.head.method, options.services.limits)
  }

  get hasBegun(): boolean {
    return this.#body !== null
  }

  get isUntilClose(): boolean {
    return this.#body?.isUntilClose === true
  }

  /** An upload may take its time: the upstream owes a response only once it has the request. */
  expectHead(): void {
    if (this.#body === null) this.#expect(this.#options.services.limits.firstByteTimeoutMs)
  }

  expectMore(): void {
    this.#expect(this.#options.services.limits.streamIdleTimeoutMs)
  }

  expectNothing(): void {
    this.#silentUntil = Infinity
  }

  #expect(limitMs: number): void {
    this.#silentUntil = this.#options.services.deadlines.until(limitMs)
  }

  isOverdue(nowMs: number): boolean {
    return nowMs >= this.#silentUntil
  }

  read(chunk: Buffer): void {
    const body = this.#body
    if (body === null) return this.#readHeads(chunk)
    this.expectMore()
    const end = body.scan(chunk, 0)
    const { caller, events, guard } = this.#options
    if (body.isDone) events.ending()
    const part = guard === null ? slice(chunk, 0, end) : guard.pass(chunk, end, body.trailersAt)
    if (this.#isRecordedFirst(body)) {
      const last = Buffer.from(part)
      return this.#recordFirst(chunk, end, () => caller.socket.write(last))
    }
    const upstream = events.upstream as UpstreamConnection
    this.#passedOn(chunk, end, upstream.relay(part, caller.socket))
  }

  /** True where the end of the connection is the end of the response. */
  endOfConnection(): boolean {
    const body = this.#body
    body?.endOfConnection()
    if (body === null || !body.isDone) return false
    this.#received(null)
    return true
  }

  #readHeads(chunk: Buffer): void {
    const { call, services, events } = this.#options
    const arrivedAt = services.clock.monotonic()
    const heads = this.#heads
    for (let bytes = chunk; ; bytes = heads.rest) {
      const head = heads.read(bytes)
      if (head === null) return
      if (isFault(head)) {
        const message = `The provider's answer has ${head.fault}.`
        return events.broken(refuse('upstream_unreachable', message))
      }
      if (head.status === 101) return events.upgraded(head, heads.rest)
      if (head.status >= 200) return this.#start(head, heads.rest, arrivedAt)
      if (++this.#informational > INFORMATIONAL_MAX) return this.#endInformational()
      this.#requestBody.isContinued = true
      // HTTP/1.0 knows no informational responses, and a caller is asked to go on only once.
      const isRepeated = head.status === 100 && this.#requestBody.hasSentContinue
      if (call.head.minor === 0 || isRepeated) continue
      if (!this.sendHead(head, '\r\n', null)) events.upstream?.socket.pause()
    }
  }

  #endInformational(): void {
    const { services, events } = this.#options
    services.meter.add('limitsHit', 1, 'informational_count')
    const message = `The provider sent more than ${INFORMATIONAL_MAX} informational responses.`
    events.broken(refuse('upstream_unreachable', message))
  }

  #start(head: ResponseHead, rest: Buffer, arrivedAt: number): void {
    const { call, caller, record, guard, events } = this.#options
    this.#keepAlive = head.isKeepAlive ? { header: head.header('keep-alive') } : null
    record.answered(head)
    this.expectMore()
    const body = new BodyScanner(head.framing)
    this.#body = body
    const end = body.scan(rest, 0)
    if (body.isDone) events.ending()
    const isEarly = !this.#requestBody.isDone && (body.isDone || isLarge(call.head))
    const isClosing = caller.willClose(isEarly) || head.framing.kind === 'until-close'
    const part = guard === null ? slice(rest, 0, end) : guard.pass(rest, end, body.trailersAt)
    const own = `${guard?.addedTo(head) ?? ''}X-SVC-Request-Id: ${call.opening.id}\r\n`
    const ending = own + (isClosing ? CLOSE_LINE : '\r\n')
    if (this.#isRecordedFirst(body)) {
      const whole = Buffer.concat([this.#writeHead(head, ending), part])
      record.tap.startResponse(head)
      return this.#recordFirst(rest, end, () => {
        caller.socket.write(whole)
        record.passedOn(arrivedAt)
      })
    }
    const hasRoom = this.sendHead(head, ending, part)
    record.passedOn(arrivedAt)
    record.tap.startResponse(head)
    this.#passedOn(rest, end, hasRoom)
  }

  sendHead(head: ResponseHead, ending: string, part: Buffer | null): boolean {
    const { length } = this.#writeHead(head, ending)
    const { caller } = this.#options
    return caller.state.sendBuffer.send(caller.socket, length, part === null ? [] : [part])
  }

  /** In the send buffer: valid until the next head. */
  #writeHead(head: ResponseHead, ending: string): Buffer {
    const { caller, guard } = this.#options
    const bytes = caller.state.sendBuffer.reserveHead(head.lines, ending.length)
    const rewrite = { ending, changes: guard?.clean(head.lines) }
    return bytes.subarray(0, writeResponseHead(head, rewrite, { bytes, at: 0 }))
  }

  /** The caller has the bytes up to `end`: now the tap reads them, and the rest is looked at. */
  #passedOn(bytes: Buffer, end: number, hasRoom: boolean): void {
    const body = this.#body as BodyScanner
    const { events } = this.#options
    if (!hasRoom) events.upstream?.socket.pause()
    this.#readBody(bytes, end)
    if (body.fault !== null) events.broken(refuse('upstream_unreachable', body.fault))
    else if (body.isDone) this.#received(end === bytes.length ? this.#keepAlive : null)
  }

  #readBody(bytes: Buffer, end: number): void {
    const { record } = this.#options
    record.responseBytes += end
    const { payload } = this.#body as BodyScanner
    for (let at = 0; at < payload.length; at += 2) {
      record.tap.feedResponse(slice(bytes, payload[at] as number, payload[at + 1] as number))
    }
  }

  #isRecordedFirst(body: BodyScanner): boolean {
    return this.#options.services.recordsFirst && body.isDone && body.fault === null
  }

  /** `deliver` sends the last piece, once no kill can come between it and the call's line. */
  #recordFirst(bytes: Buffer, end: number, deliver: () => void): void {
    const { record, events } = this.#options
    this.#readBody(bytes, end)
    events.received(end === bytes.length ? this.#keepAlive : null)
    this.expectNothing()
    record.close('delivered', null, () => {
      if (events.isOver) return
      deliver()
      this.expectMore()
      this.#delivered()
    })
  }

  #received(keepAlive: KeepAlive | null): void {
    const { services, record, events } = this.#options
    if (events.isOver) return
    events.received(keepAlive)
    if (!services.recordsFirst) return this.#delivered()
    // The end of the connection is the end of the response: it waits as a last piece does.
    record.close('delivered', null, () => {
      if (!events.isOver) this.#delivered()
    })
  }

  #delivered(): void {
    const { caller, events } = this.#options
    const { socket } = caller
    const canContinue = this.#requestBody.isDone && this.#body?.isUntilClose === false
    if (socket.writableLength === 0) return events.delivered(canContinue)
    // A response counts as delivered when the last byte has left, not when it waits here.
    socket.write('', () => {
      if (!socket.destroyed) events.delivered(canContinue)
    })
  }
}

const CLOSE_LINE = 'Connection: close\r\n\r\n'
