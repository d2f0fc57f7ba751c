// One call's reservation at the limit bank. Must stay true: a call that gets no answer goes on and
// is counted, and what was reserved is released exactly once.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { ReservationRequest, ReservationVerdict } from './limit-bank.ts'
import type { LimitConnection } from './limit-messages.ts'
import { toRefusal } from './limit-refusal.ts'
import type { LimitedCall } from './limited-call.ts'

/** A healthy limit bank answers within a millisecond. */
export const ANSWER_MS_MAX = 250

export interface Reservation {
  /** The call is over, or was refused. May be called again. */
  release(): void
}

export type Done = (refusal: Refusal | null) => void

export interface ReservationOptions {
  readonly connection: LimitConnection
  readonly clock: Clock
  readonly meter: Meter
  readonly done: Done
  /** By the call's id. */
  readonly pending: Map<string, CallReservation>
}

export class CallReservation implements Reservation {
  readonly #call: LimitedCall
  readonly #options: ReservationOptions
  #timer: NodeJS.Timeout | undefined
  #isReserved = true

  constructor(call: LimitedCall, options: ReservationOptions) {
    this.#call = call
    this.#options = options
  }

  /** The call goes on already. */
  report(request: ReservationRequest): void {
    this.#options.connection.send({ kind: 'report', request }, false)
    this.#options.done(null)
  }

  request(request: ReservationRequest): void {
    const { connection, pending } = this.#options
    if (!connection.send({ kind: 'reserve', request }, false)) return this.#unanswered()
    pending.set(this.#call.id, this)
    this.#timer = setTimeout(() => this.#unanswered(), ANSWER_MS_MAX)
  }

  /** An answer that comes too late finds no reservation to answer. */
  answered(verdict: ReservationVerdict): void {
    this.#stopWaiting()
    const refusal = toRefusal(verdict, this.#call.keyId)
    // Nothing was reserved, so that there is nothing to release.
    if (refusal !== null) this.#isReserved = false
    this.#options.done(refusal)
  }

  release(): void {
    if (!this.#isReserved) return
    this.#isReserved = false
    this.#stopWaiting()
    const { connection, clock } = this.#options
    // A caller may send its next call to another worker as soon as it has its answer.
    const isUrgent = this.#call.maxParallel !== null
    connection.send({ kind: 'release', callId: this.#call.id, endedAt: clock.now() }, isUrgent)
  }

  #unanswered(): void {
    this.#stopWaiting()
    this.#options.meter.add('limiterUnanswered', 1)
    this.#options.done(null)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#options.pending.delete(this.#call.id)
  }
}
