// One connection of a caller: reads heads, lets the right calls through, answers the others, and keeps
// the order of pipelined requests. One call at a time; what comes ahead of its turn waits, bounded.

import type { Socket } from 'node:net'

import type { ApiKey } from '../core/api-key.ts'
import { createRequestId } from '../core/ids.ts'
import { USAGE_EVENT_VERSION } from '../core/usage-event.ts'
import type { CallOpening } from '../core/usage-event.ts'
import type { RequestView } from '../providers/provider.ts'
import { BodyScanner } from '../wire/body-scanner.ts'
import { findHeadEnd, hasBareLineFeed, headerLookup, parseRequestHead } from '../wire/http-head.ts'
import type { RequestHead } from '../wire/http-head.ts'
import { authenticate, authorizeProvider, resolveDims } from './authorize.ts'
import { Forward } from './forward.ts'
import type { Call, CallerSide } from './forward.ts'
import { writeHealth } from './health.ts'
import type { OpenCalls } from './open-calls.ts'
import { toDeniedEvent } from './record.ts'
import { refuse, writeRefusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { findRoute, isRefusal, parseTarget } from './route.ts'
import type { Target } from './route.ts'
import type { ProxyServices } from './services.ts'
import type { Sweepable } from './sweep.ts'

/** A refused body up to this size is read and dropped, so that the connection can go on. */
const DISCARD_BYTES_MAX = 65_536
/** How long a refused caller may go on sending before the connection is torn down. */
const LINGER_MS = 2000

/** The request that is being answered. */
interface Current {
  readonly id: string
  readonly head: RequestHead | null
  readonly shape: Call['route']['provider']['errorShape']
}

export class ClientConnection implements CallerSide, Sweepable {
  readonly socket: Socket
  readonly calls: OpenCalls
  readonly #services: ProxyServices
  #current: Current | null = null
  #forward: Forward | null = null
  /** A refused request's body on its way to nowhere. */
  #discarding: BodyScanner | null = null
  /** Bytes that wait: an unfinished head, or requests ahead of their turn. */
  #waiting: Buffer | null = null
  #headTimer: NodeJS.Timeout | null = null
  /** When a connection without a request has lasted long enough, on the monotonic clock. */
  #idleUntil: number
  #isReading = false
  #isEnding = false
  #isTunnel = false

  constructor(socket: Socket, services: ProxyServices, calls: OpenCalls) {
    this.socket = socket
    this.#services = services
    this.calls = calls
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('end', () => this.#onEnd())
    socket.on('close', () => this.#onClose())
    // A close follows every error, and is where a lost caller is dealt with.
    socket.on('error', () => {})
    this.#idleUntil = this.#nextIdleUntil()
    services.sweeper.add(this)
  }

  get isClosing(): boolean {
    const head = this.#current?.head
    return head === undefined || head === null || !canPersist(head) || this.calls.isDraining
  }

  /** At the start of a drain: a connection without a call is closed now, the others after theirs. */
  drain(): void {
    if (this.#current === null && this.#waiting === null) this.#endSoon()
  }

  answer(refusal: Refusal): void {
    const current = this.#current
    const text = writeRefusal(refusal, {
      requestId: current?.id ?? createRequestId(this.#services.clock.now()),
      shape: current?.shape ?? 'openai',
      isHead: current?.head?.method === 'HEAD',
      isClosing: this.isClosing,
    })
    this.socket.write(text)
  }

  callEnded(canContinue: boolean): void {
    const isClosing = this.isClosing
    this.#current = null
    this.#forward = null
    if (!canContinue || isClosing) this.#endSoon()
    else this.#next()
  }

  becomeTunnel(): Buffer | null {
    const ahead = this.#waiting
    this.#isTunnel = true
    this.#waiting = null
    this.socket.removeAllListeners('data')
    return ahead
  }

  #onData(chunk: Buffer): void {
    if (this.#isEnding) return
    let from = 0
    if (this.#forward !== null && !this.#forward.isRequestDone) {
      from = this.#forward.feedRequest(chunk, 0)
    } else if (this.#discarding !== null) {
      from = this.#discard(chunk)
    }
    if (from < chunk.length) this.#wait(chunk.subarray(from))
  }

  #wait(bytes: Buffer): void {
    this.#waiting = this.#waiting === null ? bytes : Buffer.concat([this.#waiting, bytes])
    if (this.#current === null) this.#readHeads()
    // Read on, so that we hear when the caller leaves; but not without end.
    else if (this.#waiting.length > this.#services.limits.headBytesMax) this.socket.pause()
  }

  #next(): void {
    this.#idleUntil = this.#nextIdleUntil()
    this.socket.resume()
    this.#readHeads()
  }

  /** A loop rather than a recursion: a caller may pipeline thousands of requests that are refused at once. */
  #readHeads(): void {
    if (this.#isReading) return
    this.#isReading = true
    while (this.#waiting !== null && this.#current === null && !this.#isEnding) {
      if (!this.#readHead(this.#waiting)) break
    }
    this.#isReading = false
  }

  /** False when the head is not complete yet. */
  #readHead(bytes: Buffer): boolean {
    const { headBytesMax, headersMax, headTimeoutMs } = this.#services.limits
    const end = findHeadEnd(bytes, 0)
    if (end > headBytesMax || (end === -1 && bytes.length > headBytesMax)) {
      this.#refuseUnread(
        refuse('headers_too_large', `The request's head is larger than ${headBytesMax} bytes.`),
      )
      return true
    }
    if (end === -1) {
      if (hasBareLineFeed(bytes)) {
        this.#refuseUnread(refuse('bad_request', 'The request has a bare line feed in its head.'))
      } else {
        this.#headTimer ??= setTimeout(() => this.socket.destroy(), headTimeoutMs)
      }
      return false
    }
    if (this.#headTimer !== null) clearTimeout(this.#headTimer)
    this.#headTimer = null
    this.#waiting = end < bytes.length ? bytes.subarray(end) : null
    const parsed = parseRequestHead(bytes.toString('latin1', 0, end - 4), headersMax)
    if (parsed.kind === 'fault') {
      this.#refuseUnread(refuse('bad_request', `The request has ${parsed.reason}.`))
    } else {
      this.#handle(parsed.head)
    }
    return true
  }

  #handle(head: RequestHead): void {
    const now = this.#services.clock.now()
    const id = createRequestId(now)
    this.#current = { id, head, shape: 'openai' }
    const health = writeHealth(head, this.#services.readinessFault, this.isClosing)
    if (health !== null) {
      this.socket.write(health)
      return this.#settle(head)
    }
    const key = authenticate(head.headers, this.#services.findKey, now)
    if (isRefusal(key)) return this.#refuse(head, key)
    const target = parseTarget(head.target)
    if (isRefusal(target)) return this.#deny(target, { id, head, key, now, target: null })
    this.#admit({ id, head, key, now, target })
  }

  #admit(admission: Admission & { readonly target: Target }): void {
    const { id, head, key, target, now } = admission
    const route = findRoute(this.#services.routes, target.providerId)
    if (isRefusal(route)) return this.#deny(route, admission)
    this.#current = { id, head, shape: route.provider.errorShape }
    const refusal = authorizeProvider(key, route.provider.id)
    if (refusal !== null) return this.#deny(refusal, admission)
    const resolved = resolveDims(head.headers, key, {
      onInvalid: this.#services.dimsOnInvalid,
      dropped: (pairs) => this.#services.meter.add('dimsDropped', pairs),
    })
    if (isRefusal(resolved)) return this.#deny(resolved, admission)
    const view: RequestView = {
      method: head.method,
      path: target.path,
      query: target.query,
      header: headerLookup(head.headers),
    }
    const operation = route.provider.operations.find((candidate) => candidate.matches(view)) ?? null
    const opening: CallOpening = {
      version: USAGE_EVENT_VERSION,
      id,
      keyId: key.id,
      provider: route.provider.id,
      operation: operation?.name ?? null,
      dims: resolved.dims,
      startedAt: now,
    }
    this.#startForward({ head, target, route, operation, view, opening })
  }

  #startForward(call: Call): void {
    const forward = new Forward(call, this, this.#services)
    this.#forward = forward
    const bytes = this.#waiting
    if (bytes !== null && !forward.isRequestDone) {
      const end = forward.feedRequest(bytes, 0)
      this.#waiting = end < bytes.length ? bytes.subarray(end) : null
    }
    // A fault in the body's first bytes has ended the call already.
    if (this.#forward === forward) forward.start()
  }

  /** Refusals to a known key are kept in the request log; the others are counted only. */
  #deny(refusal: Refusal, admission: Admission): void {
    const { id, key, now, target, head } = admission
    const opening: CallOpening = {
      version: USAGE_EVENT_VERSION,
      id,
      keyId: key.id,
      provider: target?.providerId.slice(0, 32) ?? '',
      operation: null,
      dims: {},
      startedAt: now,
    }
    const event = toDeniedEvent(opening, refusal, this.#services.clock.now())
    this.#services.journal.append({ kind: 'close', event })
    this.#refuse(head, refusal)
  }

  #refuse(head: RequestHead, refusal: Refusal): void {
    this.#services.meter.add('refusals', 1, refusal.code)
    this.answer(refusal)
    this.#settle(head)
  }

  /** Weir has answered: the request's body is dropped, or the connection is if that would take long. */
  #settle(head: RequestHead): void {
    const body = new BodyScanner(head.framing)
    const isShort = head.framing.kind === 'length' && head.framing.length <= DISCARD_BYTES_MAX
    // A caller that waits for "100 Continue" may never send its body after this answer.
    const isExpecting = head.headers.some((header) => header.name === 'expect')
    if (!body.isDone && (!isShort || isExpecting || this.isClosing)) {
      this.#current = null
      return this.#endSoon()
    }
    this.#discarding = body
    const bytes = this.#waiting
    this.#waiting = null
    const end = this.#discard(bytes ?? Buffer.alloc(0))
    if (bytes !== null && end < bytes.length) this.#wait(bytes.subarray(end))
  }

  #discard(bytes: Buffer): number {
    const body = this.#discarding as BodyScanner
    const end = body.scan(bytes, 0)
    if (body.isDone) {
      this.#discarding = null
      this.callEnded(true)
    }
    return end
  }

  /** For what cannot be framed: answered and closed, since nobody knows where the next request begins. */
  #refuseUnread(refusal: Refusal): void {
    this.#services.meter.add('refusals', 1, refusal.code)
    this.answer(refusal)
    this.#endSoon()
  }

  /**
   * Closes once everything has been written. A caller that still sends is heard out for a moment:
   * closing at once would reset the connection and could take our answer with it.
   */
  #endSoon(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#waiting = null
    if (this.#headTimer !== null) clearTimeout(this.#headTimer)
    this.socket.end()
    this.socket.resume()
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref()
  }

  #nextIdleUntil(): number {
    return this.#services.clock.monotonic() + this.#services.limits.idleTimeoutMs
  }

  sweep(nowMs: number): void {
    if (this.#current === null && nowMs >= this.#idleUntil) this.#endSoon()
  }

  #onEnd(): void {
    if (this.#isTunnel) return
    // Callers that leave send their end first; waiting for more would keep a paid call running.
    if (this.#forward !== null || this.#isEnding) this.socket.destroy()
    else this.#endSoon()
  }

  #onClose(): void {
    this.#services.sweeper.delete(this)
    if (this.#headTimer !== null) clearTimeout(this.#headTimer)
    this.#isEnding = true
    this.#forward?.callerGone()
    this.#forward = null
  }
}

interface Admission {
  readonly id: string
  readonly head: RequestHead
  readonly key: ApiKey
  readonly now: number
  readonly target: Target | null
}

/** HTTP/1.0 connections are always closed: its keep-alive was never specified well. */
function canPersist(head: RequestHead): boolean {
  return head.isKeepAlive && head.minor === 1
}
