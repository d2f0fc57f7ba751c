// The limit bank of a node that shares limits with others: it answers from leases, and asks the
// database only when they are used up. Must stay true: what a call has taken of one limit is given
// back when another refuses it, and no call waits longer than its worker would.

import type { BudgetReport } from '../../core/budget-state.ts'
import type { Clock } from '../../core/clock.ts'
import type { Meter } from '../../core/telemetry.ts'
import type { LeaseOwner, LeaseStore } from '../../store/limits/lease-store.ts'
import type { BudgetUse } from '../budget-use.ts'
import type { OnOutage } from '../call-reservation.ts'
import { LimitBank } from '../limit-bank.ts'
import type {
  Bank,
  BudgetReservations,
  LimitedBudget,
  ReservationRequest,
  ReservationVerdict,
} from '../limit-bank.ts'
import { BudgetLeases } from './budget-leases.ts'
import type { BudgetLeasesOptions } from './budget-leases.ts'
import { Heartbeat } from './heartbeat.ts'
import { PermitLeases } from './permit-leases.ts'
import { SlotLeases } from './slot-leases.ts'

export interface SharedBankOptions extends Pick<BudgetLeasesOptions, 'createLease'> {
  readonly store: LeaseStore
  readonly owner: LeaseOwner
  readonly clock: Clock
  readonly meter: Meter
  /** A reload of the configuration may change it. */
  readonly onOutage: () => OnOutage
  /** How long a call waits for the store. */
  readonly answerMsMax?: number | undefined
  /** Once when the store stops to answer, with the reason; null when it answers again. */
  readonly silent: (error: unknown) => void
}

interface Asked {
  readonly worker: string
  readonly request: ReservationRequest
  /** Its caller has left. */
  isOver: boolean
}

/** Others may be quicker and take what a call has waited for. */
const TRIES_MAX = 3

const GRANTED: ReservationVerdict = { kind: 'granted' }

export class SharedBank implements Bank {
  readonly #options: SharedBankOptions
  readonly #bank: LimitBank
  readonly #budgets: BudgetLeases
  readonly #permits: PermitLeases
  readonly #slots: SlotLeases
  readonly #heartbeat: Heartbeat
  /** Calls that wait for the database, by id. */
  readonly #asked = new Map<string, Asked>()
  /** The permits of running calls, for those that are not made after all. */
  readonly #used = new Map<string, { readonly keyId: string; readonly batch: number }>()

  constructor(options: SharedBankOptions) {
    this.#options = options
    const { store, owner, clock, answerMsMax } = options
    this.#bank = new LimitBank(clock)
    const failed = (error: unknown): void => this.#heartbeat.failed(error)
    const introduce = (): Promise<boolean> => this.#heartbeat.beat()
    const common = { store, owner, clock, answerMsMax, failed, introduce }
    const { createLease } = options
    const lease = createLease === undefined ? {} : { createLease }
    this.#budgets = new BudgetLeases({ ...common, ...lease, bank: this.#bank })
    this.#permits = new PermitLeases(common)
    this.#slots = new SlotLeases(common)
    const [budgets, permits, slots] = [this.#budgets, this.#permits, this.#slots]
    this.#heartbeat = new Heartbeat({ ...options, budgets, permits, slots })
  }

  get calls(): number {
    return this.#bank.calls
  }

  reserve(
    worker: string,
    request: ReservationRequest,
  ): ReservationVerdict | Promise<ReservationVerdict> {
    const refused = this.#bank.judgeBudgets(request, isNotUsedUp)
    if (refused !== null) return refused
    if (request.maxParallel === null && this.#hasRoom(request) && this.#takePermit(request)) {
      this.count(worker, request)
      return GRANTED
    }
    return this.#reserveSlowly({ worker, request, isOver: false })
  }

  count(worker: string, request: ReservationRequest): void {
    this.#bank.count(worker, request)
    this.#budgets.used(request.budgets)
  }

  vacate(callId: string): void {
    this.#slots.release(callId)
    this.#bank.vacate(callId)
  }

  release(callId: string, endedAt: number, isUnused = false): void {
    const asked = this.#asked.get(callId)
    if (asked !== undefined) asked.isOver = true
    if (isUnused) this.#giveBackPermit(callId)
    this.#used.delete(callId)
    this.#slots.release(callId)
    this.#bank.release(callId, endedAt, isUnused)
  }

  workerGone(worker: string): void {
    for (const asked of this.#asked.values()) if (asked.worker === worker) asked.isOver = true
    for (const callId of this.#bank.workerGone(worker)) {
      this.#used.delete(callId)
      this.#slots.release(callId)
    }
  }

  report(report: BudgetReport): void {
    this.#budgets.reported(this.#bank.report(report))
    this.#heartbeat.reported(report.completeUntil)
  }

  states(): readonly LimitedBudget[] {
    return this.#bank
      .states()
      .map((state) => ({ ...state, room: this.#budgets.offer(state.budget.id) ?? 0n }))
  }

  has(budgetId: string): boolean {
    return this.#bank.has(budgetId)
  }

  figures(): readonly BudgetReservations[] {
    return this.#bank.figures()
  }

  forgetIdleKeys(): void {
    this.#bank.forgetIdleKeys()
  }

  /** Gives back what is not in use. What is stays leased until the calls are on record. */
  close(): Promise<void> {
    return this.#heartbeat.close()
  }

  #hasRoom({ budgets }: ReservationRequest): boolean {
    return budgets.every((cost) => this.#budgets.hasRoom(cost))
  }

  #takePermit({ callId, keyId, rpm }: ReservationRequest): boolean {
    if (rpm === null) return true
    const batch = this.#permits.take(keyId)
    if (batch !== null) this.#used.set(callId, { keyId, batch })
    return batch !== null
  }

  #giveBackPermit(callId: string): void {
    const used = this.#used.get(callId)
    if (used !== undefined) this.#permits.giveBack(used.keyId, used.batch)
    this.#used.delete(callId)
  }

  async #reserveSlowly(asked: Asked): Promise<ReservationVerdict> {
    const { request, worker } = asked
    const { callId } = request
    this.#asked.set(callId, asked)
    const refused =
      (await this.#waitForRoom(asked)) ??
      (await this.#waitForPermit(request)) ??
      (await this.#waitForSlot(request))
    this.#asked.delete(callId)
    if (refused === null && !asked.isOver) return GRANTED
    this.#bank.cancel(callId)
    this.#giveBackPermit(callId)
    this.#slots.release(callId)
    if (refused?.kind !== 'unanswered' || asked.isOver) return refused ?? GRANTED
    this.#options.meter.add('limiterUnanswered', 1)
    // Each node then applies the limits by itself.
    return this.#options.onOutage() === 'allow' ? this.#bank.reserve(worker, request) : refused
  }

  /** Counts the call in the same turn in which there is room: others wait for the same answer. */
  async #waitForRoom({ worker, request }: Asked): Promise<ReservationVerdict | null> {
    for (let tries = 0; tries < TRIES_MAX && !this.#hasRoom(request); tries++) {
      const lacking = request.budgets.filter((cost) => !this.#budgets.hasRoom(cost))
      if (lacking.some(({ id }) => this.#budgets.isEmpty(id))) break
      if (!(await this.#budgets.askFor(lacking))) return { kind: 'unanswered', limit: 'budget' }
    }
    const hasRoom = ({ state }: BudgetUse): boolean =>
      request.budgets.every((cost) => cost.id !== state.budget.id || this.#budgets.hasRoom(cost))
    const refused = this.#bank.judgeBudgets(request, hasRoom)
    if (refused === null) this.count(worker, request)
    return refused
  }

  async #waitForPermit(request: ReservationRequest): Promise<ReservationVerdict | null> {
    const { keyId, rpm } = request
    if (rpm === null) return null
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (this.#takePermit(request)) return null
      if (this.#permits.isRefused(keyId)) break
      const isAnswered = await this.#permits.askFor(keyId, rpm)
      if (!isAnswered) return { kind: 'unanswered', limit: 'rate_limit_rpm' }
    }
    if (this.#takePermit(request)) return null
    const retryAfterSeconds = Math.ceil(this.#permits.waitMs(keyId) / 1000)
    return { kind: 'rpm', rpm, retryAfterSeconds }
  }

  async #waitForSlot(request: ReservationRequest): Promise<ReservationVerdict | null> {
    const { callId, keyId, maxParallel } = request
    if (maxParallel === null) return null
    switch (await this.#slots.take({ callId, keyId, maxParallel })) {
      case 'taken':
        return null
      case 'refused':
        return { kind: 'parallel', maxParallel }
      case 'unanswered':
        return { kind: 'unanswered', limit: 'max_parallel' }
    }
  }
}

function isNotUsedUp(use: BudgetUse, nowMs: number): boolean {
  return !use.isUsedUp(nowMs)
}
