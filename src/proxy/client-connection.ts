// One connection of a caller: lets the right calls through, one at a time, and answers the others.

import { createRequestId } from '../core/ids.ts'
import { DEFAULT_ERROR_SHAPE } from '../providers/provider.ts'
import type { ErrorShape } from '../providers/provider.ts'
import { BodyScanner } from '../wire/http/body-scanner.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { openPassOn } from './agents/pass-on.ts'
import { Admission } from './admission.ts'
import type { CallerSide, Exchange, RelayState } from './caller-side.ts'
import { endSoon, reset, resetSoon } from './caller-socket.ts'
import type { CallerSocket } from './caller-socket.ts'
import { Forward } from './forward.ts'
import { isHealthCheck, writeHealth } from './health.ts'
import { recordDenial } from './record.ts'
import { writeRefusal } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { canDiscard, canPersist, RequestReader } from './request-reader.ts'
import type { RequestHandler } from './request-reader.ts'
import type { ProxyServices } from './services.ts'
import type { Expiring } from './deadlines.ts'

export class ClientConnection implements CallerSide, RequestHandler, Expiring {
  readonly socket: CallerSocket['socket']
  readonly state: RelayState
  readonly connection: CallerSocket
  readonly #services: ProxyServices
  readonly #admission: Admission
  #head: RequestHead | null = null
  #id = ''
  #shape: ErrorShape = DEFAULT_ERROR_SHAPE
  #forward: Exchange | null = null
  /** A refused request's body, read and dropped. */
  #discarding: BodyScanner | null = null
  readonly #requests: RequestReader
  #idleUntil: number
  /** This answer announces, or will announce, that the connection ends after it. */
  #isLast: boolean
  /** Nothing more is read; what was written still goes out. */
  isEnding = false
  #isTunnel = false

  constructor(caller: CallerSocket, services: ProxyServices, state: RelayState) {
    this.socket = caller.socket
    this.connection = caller
    this.state = state
    this.#services = services
    this.#isLast = caller.isSpare
    this.#admission = new Admission(services, caller.isSpare)
    this.#requests = new RequestReader(this, services)
    this.socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    this.socket.on('end', () => this.#onEnd())
    this.socket.on('close', () => this.#onClose())
    this.socket.on('drain', () => {
      if (this.#forward === null) this.readOn()
      else this.#forward.callerDrained()
    })
    // A close follows every error, and is where a lost caller is dealt with.
    this.socket.on('error', () => {})
    this.#idleUntil = services.deadlines.until(services.limits.idleTimeoutMs)
    services.deadlines.add(this)
  }

  willClose(isEarly = false): boolean {
    const canGoOn = this.#head !== null && canPersist(this.#head) && !isEarly
    return (this.#isLast ||= !canGoOn || this.state.calls.isDraining)
  }

  get canReadNext(): boolean {
    // Answers of our own to a caller that does not read them would pile up here.
    return this.#head === null && !this.isEnding && !this.socket.writableNeedDrain
  }

  /** At the start of a drain: a connection without a call ends now, the others after theirs. */
  drain(): void {
    if (this.#head === null && this.#requests.isEmpty) this.#endSoon()
  }

  answer(refusal: Refusal, isEarly = false): void {
    const head = this.#head
    const context = {
      requestId: head === null ? createRequestId(this.#services.clock.now()) : this.#id,
      shape: head === null ? DEFAULT_ERROR_SHAPE : this.#shape,
      isHead: head?.method === 'HEAD',
      isClosing: this.willClose(isEarly),
    }
    this.socket.write(writeRefusal(refusal, context))
  }

  deny(refusal: Refusal, body: BodyScanner): void {
    // Anything may follow a request that cannot be trusted.
    this.#isLast ||= refusal.code === 'bad_request' || !this.#canDrop(body)
    this.answer(refusal)
    this.#drop(body)
  }

  callEnded(canContinue: boolean): void {
    this.#head = null
    this.#forward = null
    // A caller that does not know of the end may be sending its next request already.
    if (!canContinue || this.#isLast || this.state.calls.isEnding) return this.#endSoon()
    this.#idleUntil = this.#services.deadlines.until(this.#services.limits.idleTimeoutMs)
    this.readOn()
  }

  /** What came early is first, and as long as much of it is left no more is read. */
  readOn(): void {
    if (this.socket.isPaused()) this.socket.resume()
    if (!this.#requests.readAhead()) this.socket.pause()
  }

  resume(): void {
    this.#head = null
    this.readOn()
    if (this.socket.readableEnded) this.#onEnd()
  }

  callBrokeOff(): void {
    this.#forward = null
    this.#endSoon(resetSoon)
  }

  cut(): void {
    if (this.#forward?.isUntilClose === true) reset(this.connection)
    else this.socket.destroy()
  }

  becomeTunnel(): Buffer {
    this.#isTunnel = true
    this.socket.removeAllListeners('data')
    return this.#requests.takeAhead()
  }

  #onData(chunk: Buffer): void {
    if (this.isEnding) return
    let from = 0
    if (this.#forward !== null && !this.#forward.isRequestDone) {
      from = this.#forward.feedRequest(chunk, 0)
    } else if (this.#discarding !== null) {
      from = this.#discard(chunk, 0)
    }
    if (from === chunk.length || this.isEnding) return
    // Read on, so that we notice when the caller leaves; but not without end.
    if (!this.#requests.read(chunk, from)) this.socket.pause()
  }

  handle(head: RequestHead, bytes: Buffer, bodyStart: number): number {
    const now = this.#services.clock.now()
    this.#head = head
    this.#id = createRequestId(now)
    this.#shape = DEFAULT_ERROR_SHAPE
    if (isHealthCheck(head)) {
      this.socket.write(writeHealth(head, this.#services, this.willClose()))
      this.#drop(new BodyScanner(head.framing))
      return this.#behind(bytes, bodyStart)
    }
    const passed = openPassOn(head, this, this.#services)
    if (passed !== null) return this.#begin(passed, bytes, bodyStart)
    const call = this.#admission.admit(head, { id: this.#id, now, headAt: this.#requests.headAt })
    if (!('refusal' in call)) {
      this.#shape = call.route.provider.errorShape
      return this.#begin(new Forward(call, this, this.#services), bytes, bodyStart)
    }
    const { refusal, opening } = call
    const ready = this.#requests.wasPutOff ? null : this.#admission.awaitKey(refusal)
    if (ready !== null) return this.#requests.putOff(ready)
    this.#shape = call.shape
    if (opening !== null) recordDenial(opening, refusal, this.#services)
    this.#services.meter.add('refusals', 1, refusal.code)
    this.deny(refusal, new BodyScanner(head.framing))
    return this.#behind(bytes, bodyStart)
  }

  #begin(exchange: Exchange, bytes: Buffer, bodyStart: number): number {
    this.#forward = exchange
    const end = exchange.isRequestDone ? bodyStart : exchange.feedRequest(bytes, bodyStart)
    if (this.#forward === exchange) exchange.start()
    return end
  }

  /** Weir has answered: the rest of the body is dropped, or the connection if that takes long. */
  #drop(body: BodyScanner): void {
    this.#forward = null
    if (body.isDone || !this.#canDrop(body)) return this.callEnded(body.isDone)
    this.#discarding = body
    this.#idleUntil = this.#services.deadlines.until(this.#services.limits.bodyTimeoutMs)
    if (this.socket.isPaused()) this.socket.resume()
  }

  #canDrop(body: BodyScanner): boolean {
    return body.isDone || (canDiscard(this.#head as RequestHead) && !this.willClose())
  }

  /** The offset after the dropped body's bytes. */
  #behind(bytes: Buffer, bodyStart: number): number {
    if (this.#discarding !== null) return this.#discard(bytes, bodyStart)
    return this.isEnding ? bytes.length : bodyStart
  }

  #discard(bytes: Buffer, from: number): number {
    const body = this.#discarding as BodyScanner
    const end = body.scan(bytes, from)
    if (body.isDone) {
      this.#discarding = null
      this.callEnded(true)
    }
    return end
  }

  refuseUnread(refusal: Refusal): void {
    this.#services.meter.add('refusals', 1, refusal.code)
    this.answer(refusal)
    this.#endSoon()
  }

  #endSoon(end: (caller: CallerSocket, patienceMs: number) => void = endSoon): void {
    if (this.isEnding) return
    this.isEnding = true
    this.#requests.takeAhead()
    end(this.connection, this.#isTunnel ? this.#services.limits.streamIdleTimeoutMs : 0)
  }

  checkDeadline(nowMs: number): void {
    if (this.#forward !== null) this.#forward.checkDeadline(nowMs)
    else if (this.isEnding) return
    else if (this.#requests.isOverdue(nowMs)) this.#giveUp('head_time')
    else if (this.#discarding !== null && nowMs >= this.#idleUntil) this.#giveUp('body_time')
    else if (!this.#requests.hasBegun && nowMs >= this.#idleUntil) this.#giveUp('client_idle')
  }

  #giveUp(limit: 'head_time' | 'body_time' | 'client_idle'): void {
    this.#services.meter.add('limitsHit', 1, limit)
    if (limit === 'client_idle') this.#endSoon()
    else this.socket.destroy()
  }

  #onEnd(): void {
    if (this.#isTunnel || this.#requests.isPutOff) return
    // Callers that leave send their end first; waiting for more would keep a paid call running.
    if (this.#forward !== null || this.isEnding) this.socket.destroy()
    else this.#endSoon()
  }

  #onClose(): void {
    this.#services.deadlines.delete(this)
    this.isEnding = true
    this.#forward?.callerGone()
    this.#forward = null
  }
}
