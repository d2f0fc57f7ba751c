// One call's request on its way to the provider: judged, reserved, connected, recorded, sent. Must
// stay true: the open line is in the journal before a byte leaves, and a request of which a byte
// has left is never sent again.

import type { BudgetState } from '../core/budget-state.ts'
import { addedBytes, writeRequestHead } from '../wire/http/forwarded-headers.ts'
import type { Call } from './admission.ts'
import type { CallRecord } from './call-record.ts'
import type { CallerSide } from './caller-side.ts'
import { toLimitedCall } from './to-limited-call.ts'
import type { Reservation } from '../limits/call-reservation.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { RequestBody } from './request-body.ts'
import type { ProxyServices } from './services.ts'
import type { UpstreamConnection, UpstreamUser } from './upstream-connection.ts'
import { connectRefusal } from './upstream-pool.ts'
import type { Connected } from './upstream-pool.ts'

export interface RequestOptions {
  readonly call: Call
  readonly caller: CallerSide
  readonly services: ProxyServices
  readonly record: CallRecord
  readonly events: RequestEvents
}

export interface RequestEvents extends UpstreamUser {
  broken(refusal: Refusal): void
  /** Its head has left, and what had come of its body. */
  sent(): void
}

/** New connections tried while no byte has left: idle ones may all be stale, new ones are not. */
const CONNECTS_MAX = 3

/** With `journal.onFull: refuse`, while the disk takes no lines. */
export const JOURNAL_FULL: Refusal = {
  ...refuse(
    'journal_full',
    "This call was not forwarded, since Weir cannot record it: its disk takes nothing. Try again later; an operator has to make room on the data directory's disk.",
  ),
  retryAfterSeconds: 5,
}

type State =
  | { readonly kind: 'created' }
  /** Until its body is judged, or its beginning, which names the model, has come. */
  | { readonly kind: 'awaiting-judgement' | 'awaiting-model' }
  | { readonly kind: 'reserving' }
  | { readonly kind: 'connecting'; cancel: () => void }
  /** Its open line may still be on the way to the journal. */
  | { readonly kind: 'connected' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'over' }

const CREATED: State = { kind: 'created' }
const AWAITING_JUDGEMENT: State = { kind: 'awaiting-judgement' }
const AWAITING_MODEL: State = { kind: 'awaiting-model' }
const RESERVING: State = { kind: 'reserving' }
const CONNECTED: State = { kind: 'connected' }
const SENT: State = { kind: 'sent' }
const OVER: State = { kind: 'over' }

export class ProviderRequest {
  readonly body: RequestBody
  readonly #options: RequestOptions
  #state: State = CREATED
  #upstream: UpstreamConnection | null = null
  /** Of the budgets that may stop it the fullest, where its caller is told. */
  standing: BudgetState | null = null
  /** Null for calls without limits. */
  #reservation: Reservation | null = null
  #connects = 0

  constructor(options: RequestOptions) {
    this.#options = options
    this.body = new RequestBody(options, (refusal) => this.#judged(refusal))
  }

  get isSent(): boolean {
    return this.#state.kind === 'sent'
  }

  get upstream(): UpstreamConnection | null {
    return this.#upstream
  }

  start(): void {
    if (!this.#options.services.journal.canOpen()) {
      this.openLineRefused()
    } else if (this.body.isBuffering) {
      this.#state = AWAITING_JUDGEMENT
      this.body.askForMore()
    } else if (this.#isModelAhead()) {
      this.#state = AWAITING_MODEL
    } else {
      this.#reserve()
    }
  }

  /** Many callers send head and body apart, and budgets of models need the model from the body. */
  #isModelAhead(): boolean {
    const { call, services } = this.#options
    const { limitedKey, operation, head } = call
    if (limitedKey === null || operation === null || !services.limiter.hasModels) return false
    // A caller that waits for "100 Continue" gets it from the upstream.
    if (head.framing.kind !== 'length' || head.isExpecting) return false
    return !this.body.isDone && this.body.waiting.length === 0
  }

  #judged(refusal: Refusal | null): void {
    if (this.#isOver()) return
    if (refusal !== null) this.#options.events.broken(refusal)
    else if (this.#state.kind === 'awaiting-judgement') this.#reserve()
  }

  #isOver(): boolean {
    return this.#state.kind === 'over'
  }

  /** Most calls are not limited. The others wait for the limiter as they wait for a connection. */
  #reserve(): void {
    const { call, services, events } = this.#options
    const { limitedKey } = call
    if (limitedKey === null) return this.#connect()
    this.#state = RESERVING
    const limitedCall = toLimitedCall(call, limitedKey, () => this.body.waiting)
    if (call.isOfAgent) this.standing = services.limiter.findFullest(limitedCall)
    const reservation = services.limiter.reserve(limitedCall, (refusal) => {
      if (this.#isOver()) return
      if (refusal !== null) return events.broken(refusal)
      this.#connect()
    })
    // It may be over before we have the reservation.
    if (this.#isOver()) reservation.release()
    else this.#reservation = reservation
  }

  #connect(): void {
    const { call, record } = this.#options
    const { pool } = call.route.upstream
    const idle = pool.takeIdle()
    if (idle !== null) return this.#useConnection(idle)
    this.#connects++
    record.connecting()
    // The pool may call back at once.
    const connecting = { kind: 'connecting' as const, cancel: () => {} }
    this.#state = connecting
    connecting.cancel = pool.connect((result) => this.#connected(result))
  }

  #connected(result: Connected): void {
    const { call, record, events } = this.#options
    record.connected()
    if (this.#isOver()) {
      if (result.kind === 'connected') result.connection.destroy()
    } else if (result.kind === 'connected') {
      this.#useConnection(result.connection)
    } else {
      events.broken(connectRefusal(result, call.route.provider.id))
    }
  }

  #useConnection(connection: UpstreamConnection): void {
    const { record, events } = this.#options
    this.#state = CONNECTED
    this.#upstream = connection
    connection.user = events
    if (record.openLine === 'written') this.#send()
    else if (record.openLine === 'none') this.#open()
  }

  /** The disk may have begun to refuse lines since the call came. */
  #open(): void {
    const { record, services } = this.#options
    if (services.journal.canOpen()) record.open(this)
    else this.openLineRefused()
  }

  /** The upstream closed the connection before a byte of this call left: another one will do. */
  reconnect(): void {
    this.detach()?.destroy()
    if (this.#connects < CONNECTS_MAX) return this.#connect()
    const message = 'The provider closed each connection before the request was sent.'
    this.#options.events.broken(refuse('upstream_unreachable', message))
  }

  openLineWritten(): void {
    if (this.#state.kind === 'connected') this.#send()
  }

  openLineRefused(): void {
    if (!this.#isOver()) this.#options.events.broken(JOURNAL_FULL)
  }

  #send(): void {
    const { call, caller, record, events } = this.#options
    const { socket } = this.#upstream as UpstreamConnection
    this.#state = SENT
    const { head, requestLine, route, change } = call
    const { sendBuffer } = caller.state
    const { host } = route.upstream
    const added = requestLine.length + host.length + (change === null ? 0 : addedBytes(change))
    const bytes = sendBuffer.reserveHead(head.lines, added)
    const length = writeRequestHead(head, { requestLine, host, change }, { bytes, at: 0 })
    sendBuffer.send(socket, length, this.body.takeFirst(socket))
    record.sent()
    this.body.readFirst()
    events.sent()
    if (this.body.wasBuffered || !this.body.isDone) events.upstreamDrained()
  }

  /** Takes the body's bytes from an offset on; returns the offset after the last one taken. */
  feed(bytes: Buffer, from: number): number {
    const { record, events } = this.#options
    const end = this.body.feed(bytes, from)
    if (this.body.fault !== null) {
      events.broken(refuse('bad_request', `The request's body has ${this.body.fault}.`))
      return bytes.length
    }
    if (this.#state.kind === 'awaiting-model' && this.body.waiting.length > 0) {
      record.received()
      this.#reserve()
    }
    return end
  }

  detach(): UpstreamConnection | null {
    const upstream = this.#upstream
    if (upstream === null) return null
    this.#upstream = null
    this.body.stop()
    upstream.user = null
    return upstream
  }

  /** On a socket, others may go on after it is released. */
  get reservation(): Reservation | null {
    return this.#reservation
  }

  /** The call is over. Its connection is left to the caller of this method. */
  release(): void {
    if (this.#state.kind === 'connecting') this.#state.cancel()
    this.#state = OVER
    this.#reservation?.release()
    this.body.release()
  }
}
