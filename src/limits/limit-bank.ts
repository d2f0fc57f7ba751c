// Who may go on, counted over all workers of a machine: calls a minute, calls at once, and what
// running calls may cost under blocking budgets. Must stay true: a granted call counts until it
// left, and its expected cost until the ledger has its real one.

import type { BudgetReport, BudgetState, LeasedMoney } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import { memberIdOf, ruleIdOf, toCounter } from '../core/budgets/each-budget.ts'
import type { Money } from '../core/money.ts'
import { BudgetUse } from './budget-use.ts'
import { KeyUse } from './key-use.ts'

/** Plain values: it travels between processes. */
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

export type LimiterMessage =
  | { readonly kind: 'reserve'; readonly request: ReservationRequest }
  /** It goes on already, and is only counted. */
  | { readonly kind: 'report'; readonly request: ReservationRequest }
  /** Its caller is about to have the whole answer, and may call again. */
  | { readonly kind: 'vacate'; readonly callId: string }
  | {
      readonly kind: 'release'
      readonly callId: string
      readonly endedAt: number
      /** The call never went on, though it may have been granted meanwhile. */
      readonly isUnused?: true
    }

export type ReservationAnswer = { readonly callId: string } & ReservationVerdict

export type ReservationVerdict =
  | { readonly kind: 'granted' }
  /** `state` may have money left: then it is reserved by other calls. */
  | { readonly kind: 'budget'; readonly state: BudgetState }
  | { readonly kind: 'rpm'; readonly rpm: number; readonly retryAfterSeconds: number }
  | { readonly kind: 'parallel'; readonly maxParallel: number }
  /** Limits are shared by nodes, and their database does not answer. */
  | { readonly kind: 'unanswered'; readonly limit: 'budget' | 'rate_limit_rpm' | 'max_parallel' }

export interface LimitedBudget extends BudgetState {
  /** What running calls are expected to cost, and ended ones that are not in `spent` yet. */
  readonly reserved: Money
  /** What this node may still reserve by itself, where nodes share the budget. */
  readonly room?: Money
}

/** Over all workers, at the moment. */
export interface BudgetReservations {
  readonly budgetId: string
  readonly running: number
  readonly reserved: Money
  /** Absent where there is one node. */
  readonly leases?: LeasedMoney
}

/** The limit bank as the workers' host sees it. */
export interface Bank {
  readonly calls: number
  reserve(
    worker: string,
    request: ReservationRequest,
  ): ReservationVerdict | Promise<ReservationVerdict>
  count(worker: string, request: ReservationRequest): void
  vacate(callId: string): void
  release(callId: string, endedAt: number, isUnused?: boolean): void
  workerGone(worker: string): void
  report(report: BudgetReport): void
  /** Of the counters of rules, those that may have changed since it was last asked. */
  states(): readonly LimitedBudget[]
  has(budgetId: string): boolean
  figures(): readonly BudgetReservations[]
  forgetIdleKeys(): void
}

interface GrantedCall {
  readonly worker: string
  /** Null, too, once its place is another call's. */
  key: KeyUse | null
  /** On the monotonic clock; null where the key's calls in a minute are not counted. */
  readonly grantedAt: number | null
  readonly costs: readonly ReservedCost[]
}

interface ReservedCost {
  readonly use: BudgetUse
  readonly expected: Money
}

/** No one reports how a dead worker's calls ended: a report this much later settles them. */
export const GONE_MS_MAX = 10_000

export class LimitBank {
  readonly #clock: Clock
  // Bounded by keys that exist and called within a minute, by connections, and by budgets.
  readonly #keys = new Map<string, KeyUse>()
  readonly #calls = new Map<string, GrantedCall>()
  #budgets = new Map<string, BudgetUse>()
  /** All but the counters of rules. */
  readonly #plain = new Map<string, BudgetUse>()
  /** Counters of rules that were used or reported since they were last sent, or are in use. */
  readonly #touched = new Map<string, BudgetUse>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get calls(): number {
    return this.#calls.size
  }

  has(budgetId: string): boolean {
    return this.#budgets.has(budgetId)
  }

  /** A member of a rule that has spent nothing so far begins as the rule says. */
  find(budgetId: string): BudgetUse | undefined {
    const known = this.#budgets.get(budgetId)
    if (known !== undefined) return known
    const [rule, member] = [this.#budgets.get(ruleIdOf(budgetId)), memberIdOf(budgetId)]
    if (rule === undefined || member === null) return undefined
    const use = new BudgetUse(toCounterState(rule.state, member))
    this.#budgets.set(budgetId, use)
    return use
  }

  reserve(worker: string, request: ReservationRequest): ReservationVerdict {
    const hasRoom = (use: BudgetUse, nowMs: number): boolean => use.hasRoom(nowMs)
    const refused = this.judgeBudgets(request, hasRoom) ?? this.#judgeKey(request)
    if (refused !== null) return refused
    this.count(worker, request)
    return { kind: 'granted' }
  }

  count(worker: string, request: ReservationRequest): void {
    const grantedAt = request.rpm === null ? null : this.#clock.monotonic()
    const key = this.#reserveKey(request, grantedAt)
    const costs: ReservedCost[] = []
    for (const { id, expected } of request.budgets) {
      const use = this.find(id)
      if (use === undefined) continue
      use.reserve(expected)
      if (use.state.budget.member !== undefined) this.#touched.set(id, use)
      costs.push({ use, expected })
    }
    this.#calls.set(request.callId, { worker, key, grantedAt, costs })
  }

  /** A call that was counted is not made after all, and nothing of it has to be settled. */
  cancel(callId: string): void {
    const call = this.#calls.get(callId)
    if (call === undefined) return
    this.#calls.delete(callId)
    if (call.grantedAt !== null) call.key?.takeBack(call.grantedAt)
    call.key?.release()
    for (const { use, expected } of call.costs) use.cancel(expected)
  }

  /** The place among the key's calls at once is free; what it may cost stays reserved. */
  vacate(callId: string): void {
    const call = this.#calls.get(callId)
    call?.key?.release()
    if (call !== undefined) call.key = null
  }

  /** `endedAt` is wall-clock time. Harmless for a call that was not granted. */
  release(callId: string, endedAt: number, isUnused = false): void {
    const call = this.#calls.get(callId)
    if (call === undefined) return
    this.#calls.delete(callId)
    if (isUnused && call.grantedAt !== null) call.key?.takeBack(call.grantedAt)
    this.#end(call, { endedAt, settledAt: Infinity })
  }

  /** Returns the ids of its calls. */
  workerGone(worker: string): readonly string[] {
    const settledAt = this.#clock.monotonic() + GONE_MS_MAX
    const endedAt = this.#clock.now()
    const gone: string[] = []
    for (const [callId, call] of this.#calls) {
      if (call.worker !== worker) continue
      this.#calls.delete(callId)
      this.#end(call, { endedAt, settledAt })
      gone.push(callId)
    }
    return gone
  }

  /** Returns for each budget what was reserved for calls that are in `spent` now. */
  report({ states, completeUntil, isPartial = false }: BudgetReport): ReadonlyMap<string, Money> {
    const known = this.#budgets
    if (!isPartial) this.#budgets = new Map()
    for (const state of states) {
      const { id, member } = state.budget
      const use = known.get(id) ?? new BudgetUse(state)
      use.state = state
      this.#budgets.set(id, use)
      if (member === undefined) this.#plain.set(id, use)
      else this.#touched.set(id, use)
    }
    for (const id of this.#plain.keys()) if (!this.#budgets.has(id)) this.#plain.delete(id)
    if (!isPartial) this.#keepInUse()
    const settled = new Map<string, Money>()
    for (const [id, use] of [...this.#plain, ...this.#touched]) {
      settled.set(id, use.settle(completeUntil, this.#clock))
    }
    return settled
  }

  /** What is reserved by a member of whom nothing is on record stays so. */
  #keepInUse(): void {
    for (const [id, use] of this.#touched) {
      const rule = this.#budgets.get(ruleIdOf(id))
      if (rule === undefined || (!this.#budgets.has(id) && !use.isInUse)) this.#touched.delete(id)
      else if (!this.#budgets.has(id)) {
        use.state = toCounterState(rule.state, memberIdOf(id) ?? '')
        this.#budgets.set(id, use)
      }
    }
  }

  states(): LimitedBudget[] {
    const states: LimitedBudget[] = []
    for (const { state, reserved } of this.#plain.values()) states.push({ ...state, reserved })
    for (const [id, use] of this.#touched) {
      states.push({ ...use.state, reserved: use.reserved })
      if (!use.isInUse) this.#touched.delete(id)
    }
    return states
  }

  figures(): BudgetReservations[] {
    return [...this.#plain, ...this.#touched].map(([budgetId, { running, reserved }]) => ({
      budgetId,
      running,
      reserved,
    }))
  }

  /** Forgets keys that have not called for a minute; called now and then. */
  forgetIdleKeys(): void {
    const nowMs = this.#clock.monotonic()
    for (const [id, use] of this.#keys) if (use.isIdle(nowMs)) this.#keys.delete(id)
  }

  /** Of several that refuse, the one that resets last: only then will the call pass. */
  judgeBudgets(
    { budgets }: ReservationRequest,
    hasRoom: (use: BudgetUse, nowMs: number) => boolean,
  ): ReservationVerdict | null {
    if (budgets.length === 0) return null
    const nowMs = this.#clock.now()
    let strictest: BudgetUse | null = null
    for (const { id } of budgets) {
      const use = this.find(id)
      if (use === undefined || hasRoom(use, nowMs)) continue
      if (strictest === null || use.state.span.endMs > strictest.state.span.endMs) strictest = use
    }
    return strictest === null ? null : { kind: 'budget', state: strictest.stateAt(nowMs) }
  }

  #end({ key, costs }: GrantedCall, ended: { endedAt: number; settledAt: number }): void {
    key?.release()
    for (const { use, expected } of costs) use.end({ ...ended, expected })
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

  #reserveKey(request: ReservationRequest, grantedAt: number | null): KeyUse | null {
    const { keyId, rpm, maxParallel } = request
    if (rpm === null && maxParallel === null) return null
    const use = this.#keys.get(keyId) ?? new KeyUse()
    this.#keys.set(keyId, use)
    use.reserve(grantedAt)
    return use
  }
}

export function toCounterState(rule: BudgetState, member: string): BudgetState {
  return { ...rule, budget: toCounter(rule.budget, member) }
}
