// One call's reservation at the limit bank. Must stay true: a call that gets no answer is counted,
// and goes on only where nothing else would limit it; what was reserved is released exactly once.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { ReservationRequest, ReservationVerdict } from './limit-bank.ts'
import type { LimitConnection } from './limit-messages.ts'
import { refuseUnanswered, toRefusal } from './limit-refusal.ts'
import type { LimitedCall } from './limited-call.ts'

/** A healthy limit bank answers within a millisecond. */
export const ANSWER_MS_MAX = 250
/** For a call that would be refused without an answer: waiting is better than that. */
export const PATIENT_ANSWER_MS_MAX = 5000

/** What becomes of calls of keys with limits while the limit bank does not answer. */
export type OnOutage = 'allow' | 'refuse'

export interface Reservation {
  /** The caller is about to have the whole answer: its next call finds the place free. */
  vacate(): void
  /** The call is over, or was refused. May be called again. */
  release(): void
}

export type Done = (refusal: Refusal | null) => void

export interface ReservationOptions {
  readonly connection: LimitConnection
  readonly clock: Clock
  readonly meter: Meter
  readonly onOutage: OnOutage
  readonly done: Done
  /** By the call's id. */
  readonly pending: Map<string, CallReservation>
}

export class CallReservation implements Reservation {
  readonly #call: LimitedCall
  readonly #options: ReservationOptions
  #timer: NodeJS.Timeout | undefined
  #isReserved = true
  /** The call goes on, or may do so. */
  #isUsed = false
  #isVacated = false

  constructor(call: LimitedCall, options: ReservationOptions) {
    this.#call = call
    this.#options = options
  }

  /** The call goes on already. */
  report(request: ReservationRequest): void {
    this.#options.connection.send({ kind: 'report', request }, false)
    this.#goOn()
  }

  request(request: ReservationRequest): void {
    const { connection, pending } = this.#options
    if (!connection.send({ kind: 'reserve', request }, false)) return this.#unanswered()
    pending.set(this.#call.id, this)
    const waitMs = this.#isRefusedUnanswered ? PATIENT_ANSWER_MS_MAX : ANSWER_MS_MAX
    this.#timer = setTimeout(() => this.#unanswered(), waitMs)
  }

  /** An answer that comes too late finds no reservation to answer. */
  answered(verdict: ReservationVerdict): void {
    this.#stopWaiting()
    const refusal = toRefusal(verdict, this.#call.keyId)
    if (refusal === null) return this.#goOn()
    // Nothing was reserved, so that there is nothing to release.
    this.#isReserved = false
    this.#options.done(refusal)
  }

  vacate(): void {
    if (!this.#isReserved || !this.#isUsed || this.#call.maxParallel === null) return
    this.#isVacated = true
    // Now, not with the rest of this turn: the next call may come to another worker.
    this.#options.connection.send({ kind: 'vacate', callId: this.#call.id }, true)
  }

  release(): void {
    if (!this.#isReserved) return
    this.#isReserved = false
    this.#stopWaiting()
    const { connection, clock } = this.#options
    const isUrgent = this.#call.maxParallel !== null && !this.#isVacated
    const message = { kind: 'release', callId: this.#call.id, endedAt: clock.now() } as const
    connection.send(this.#isUsed ? message : { ...message, isUnused: true }, isUrgent)
  }

  /** A budget is known here well enough to stop its calls; a key's limits only the bank knows. */
  get #isRefusedUnanswered(): boolean {
    const { rpm, maxParallel } = this.#call
    return this.#options.onOutage === 'refuse' && (rpm !== null || maxParallel !== null)
  }

  #unanswered(): void {
    this.#stopWaiting()
    this.#options.meter.add('limiterUnanswered', 1)
    if (this.#isRefusedUnanswered) this.#options.done(refuseUnanswered(this.#call))
    else this.#goOn()
  }

  #goOn(): void {
    this.#isUsed = true
    this.#options.done(null)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#options.pending.delete(this.#call.id)
  }
}
