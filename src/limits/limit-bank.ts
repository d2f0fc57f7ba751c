// Who may go on, counted for all workers of a machine together: calls a minute and calls at once of
// keys that have limits, and what running calls are expected to cost under blocking budgets. Must
// stay true: a call that was granted counts until it left, and its expected cost until the ledger
// has its real one.

import type { BudgetReport, BudgetState } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import type { Money } from '../core/money.ts'
import { BudgetUse } from './budget-use.ts'
import { KeyUse } from './key-use.ts'

/** What a worker wants to know, in plain values: it travels between processes. */
export interface ReservationRequest {
  readonly callId: string
  readonly keyId: string
  /** Null where the key has no such limit. */
  readonly rpm: number | null
  readonly maxParallel: number | null
  readonly budgets: readonly ExpectedCost[]
}

export interface ExpectedCost {
  readonly id: string
  readonly expected: Money
}

/** What workers say, in its order. */
export type LimiterMessage =
  | { readonly kind: 'reserve'; readonly request: ReservationRequest }
  /** It goes on already, and is only counted. */
  | { readonly kind: 'report'; readonly request: ReservationRequest }
  | { readonly kind: 'release'; readonly callId: string; readonly endedAt: number }

export type ReservationAnswer = { readonly callId: string } & ReservationVerdict

export type ReservationVerdict =
  | { readonly kind: 'granted' }
  /**
   * `state` is how the budget stood; what it has left is spoken for where it is not used up itself.
   */
  | { readonly kind: 'budget'; readonly state: BudgetState }
  | { readonly kind: 'rpm'; readonly rpm: number; readonly retryAfterSeconds: number }
  | { readonly kind: 'parallel'; readonly maxParallel: number }

/** A blocking budget, as workers know it. */
export interface LimitedBudget extends BudgetState {
  /** What running calls are expected to cost, and ended ones that are not in `spent` yet. */
  readonly reserved: Money
}

/** What runs under a blocking budget at the moment, over all workers. */
export interface BudgetReservations {
  readonly budgetId: string
  readonly running: number
  /** What the running calls are expected to cost. */
  readonly reserved: Money
}

interface GrantedCall {
  readonly worker: string
  readonly key: KeyUse | null
  readonly costs: readonly ReservedCost[]
}

interface ReservedCost {
  readonly use: BudgetUse
  readonly expected: Money
}

/**
 * Of a worker that died no one reports how its calls ended: a report that comes so much later
 * settles them.
 */
export const GONE_MS_MAX = 10_000

export class LimitBank {
  readonly #clock: Clock
  // Bounded without a limit of their own: by keys that exist and called within a minute, by
  // connections, by budgets.
  readonly #keys = new Map<string, KeyUse>()
  readonly #calls = new Map<string, GrantedCall>()
  #budgets = new Map<string, BudgetUse>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The calls that were granted and have not left. */
  get calls(): number {
    return this.#calls.size
  }

  reserve(worker: string, request: ReservationRequest): ReservationVerdict {
    const refused = this.#judgeBudgets(request) ?? this.#judgeKey(request)
    if (refused !== null) return refused
    this.count(worker, request)
    return { kind: 'granted' }
  }

  /** Counts a call that goes on. */
  count(worker: string, request: ReservationRequest): void {
    const key = this.#reserveKey(request)
    const costs: ReservedCost[] = []
    for (const { id, expected } of request.budgets) {
      const use = this.#budgets.get(id)
      if (use === undefined) continue
      use.reserve(expected)
      costs.push({ use, expected })
    }
    this.#calls.set(request.callId, { worker, key, costs })
  }

  /**
   * The call has ended at that time of the wall clock. Of a call that was not granted it may be
   * said as well.
   */
  release(callId: string, endedAt: number): void {
    const call = this.#calls.get(callId)
    if (call === undefined) return
    this.#calls.delete(callId)
    this.#end(call, { endedAt, settledAt: Infinity })
  }

  workerGone(worker: string): void {
    const settledAt = this.#clock.monotonic() + GONE_MS_MAX
    const endedAt = this.#clock.now()
    for (const [callId, call] of this.#calls) {
      if (call.worker !== worker) continue
      this.#calls.delete(callId)
      this.#end(call, { endedAt, settledAt })
    }
  }

  report({ states, completeUntil }: BudgetReport): void {
    const known = this.#budgets
    this.#budgets = new Map()
    for (const state of states) {
      const { id } = state.budget
      const use = known.get(id) ?? new BudgetUse(state)
      use.state = state
      use.settle(completeUntil, this.#clock)
      this.#budgets.set(id, use)
    }
  }

  states(): LimitedBudget[] {
    return [...this.#budgets.values()].map(({ state, reserved }) => ({ ...state, reserved }))
  }

  figures(): BudgetReservations[] {
    return [...this.#budgets].map(([budgetId, { running, reserved }]) => ({
      budgetId,
      running,
      reserved,
    }))
  }

  /** Forgets keys that have not called for a minute; to be called now and then. */
  forgetIdleKeys(): void {
    const nowMs = this.#clock.monotonic()
    for (const [id, use] of this.#keys) if (use.isIdle(nowMs)) this.#keys.delete(id)
  }

  #end({ key, costs }: GrantedCall, ended: { endedAt: number; settledAt: number }): void {
    key?.release()
    for (const { use, expected } of costs) use.end({ ...ended, expected })
  }

  /** Of several that refuse, the one that resets last: only then will the call pass. */
  #judgeBudgets({ budgets }: ReservationRequest): ReservationVerdict | null {
    if (budgets.length === 0) return null
    const nowMs = this.#clock.now()
    let strictest: BudgetUse | null = null
    for (const { id } of budgets) {
      const use = this.#budgets.get(id)
      if (use === undefined || use.hasRoom(nowMs)) continue
      if (strictest === null || use.state.span.endMs > strictest.state.span.endMs) strictest = use
    }
    return strictest === null ? null : { kind: 'budget', state: strictest.stateAt(nowMs) }
  }

  #judgeKey({ keyId, rpm, maxParallel }: ReservationRequest): ReservationVerdict | null {
    const use = this.#keys.get(keyId)
    if (use === undefined) return null
    if (rpm !== null) {
      const waitMs = use.waitMs(rpm, this.#clock.monotonic())
      if (waitMs > 0) return { kind: 'rpm', rpm, retryAfterSeconds: Math.ceil(waitMs / 1000) }
    }
    if (maxParallel === null || use.running < maxParallel) return null
    return { kind: 'parallel', maxParallel }
  }

  #reserveKey({ keyId, rpm, maxParallel }: ReservationRequest): KeyUse | null {
    if (rpm === null && maxParallel === null) return null
    const use = this.#keys.get(keyId) ?? new KeyUse()
    this.#keys.set(keyId, use)
    use.reserve(rpm === null ? null : this.#clock.monotonic())
    return use
  }
}
