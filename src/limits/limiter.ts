// The worker's side of the limits: calls of keys with limits, or covered by a blocking budget, need
// a reservation of the limit bank. Other calls never come here.

import type { ApiKey } from '../core/api-key.ts'
import { percentOf } from '../core/agents/standing.ts'
import { costOfUnknown, usedOf } from '../core/budget-state.ts'
import type { BudgetState } from '../core/budget-state.ts'
import { createBudgetIndex } from '../core/budget-index.ts'
import type { BudgetIndex, CoveredCall, SlugOf } from '../core/budget-index.ts'
import type { BudgetScope } from '../core/budget.ts'
import { formatScope } from '../core/budget-scope.ts'
import { counterIdOf, memberIdOf, memberOf } from '../core/budgets/each-budget.ts'
import type { Clock } from '../core/clock.ts'
import { createModelPolicy } from '../core/model-policy.ts'
import type { ModelPattern } from '../core/model-policy.ts'
import type { Money } from '../core/money.ts'
import type { Meter } from '../core/telemetry.ts'
import { FastPath } from './fast-path.ts'
import { refuseBudget } from './limit-refusal.ts'
import { expectedCost } from './expected-cost.ts'
import type { RequestSize } from './expected-cost.ts'
import type { LimitedCall } from './limited-call.ts'
import { toCounterState } from './limit-bank.ts'
import type { ReservationRequest, LimitedBudget } from './limit-bank.ts'
import type { BudgetUpdate, LimitConnection } from './limit-messages.ts'
import { CallReservation } from './call-reservation.ts'
import type { Done, OnOutage, Reservation } from './call-reservation.ts'
import type { BlockedModels } from '../policy/policy.ts'
import type { Refusal } from '../policy/refusal.ts'

export interface LimiterOptions {
  readonly connection: LimitConnection
  readonly slugOf: SlugOf
  readonly clock: Clock
  readonly meter: Meter
  readonly onOutage: OnOutage
}

interface KnownBudget {
  readonly id: string
  readonly scope: BudgetScope
  state: LimitedBudget
}

interface KnownBlocked extends BlockedModels {
  readonly known: KnownBudget
}

const NOTHING_RESERVED: Reservation = { vacate: () => {}, release: () => {} }
const NONE: readonly never[] = []

export class Limiter {
  /** False: only keys with limits need reservations. */
  hasBudgets = false
  /** Some of the budgets cover certain models only. */
  hasModels = false
  readonly #options: LimiterOptions
  readonly #pending = new Map<string, CallReservation>()
  readonly #fastPath = new FastPath()
  readonly #budgets = new Map<string, KnownBudget>()
  /** Of the rules among them; a member that is not here has spent nothing. */
  readonly #counters = new Map<string, LimitedBudget>()
  #index: BudgetIndex<KnownBudget> | null = null
  #blocked: readonly KnownBlocked[] = NONE
  #modelRules: readonly KnownBudget[] = NONE

  constructor(options: LimiterOptions) {
    this.#options = options
    options.connection.listen({
      answered: (answers) => {
        for (const { callId, ...verdict } of answers) this.#pending.get(callId)?.answered(verdict)
      },
      updated: (update) => this.#update(update),
    })
  }

  findBlocked(call: Omit<CoveredCall, 'model'>, nowMs: number): readonly BlockedModels[] {
    if (!this.hasModels) return NONE
    const { provider } = call
    const own = this.#modelRules.flatMap((rule) => {
      const counter = this.#toCounter(rule, call)
      return counter === null ? NONE : this.#toBlocked(counter)
    })
    const prefix = this.#options.slugOf(provider, '')
    return [...this.#blocked, ...own].filter(
      ({ policy, known }) =>
        isUsedUp(known.state, nowMs) &&
        policy.patterns.some((each) => canCover(each, provider, prefix)),
    )
  }

  /** Whether a budget counts what somebody may run at the provider, whichever models it is. */
  covers(call: Omit<CoveredCall, 'model'>): boolean {
    if (this.#index === null) return false
    if (this.#index.find({ ...call, model: null }).length > 0) return true
    const prefix = this.#options.slugOf(call.provider, '')
    return this.#budgets.values().some(({ scope }) => {
      if (scope.kind !== 'model') return false
      const { patterns } = createModelPolicy([scope.pattern])
      return patterns.some((each) => canCover(each, call.provider, prefix))
    })
  }

  /** False for a key whose calls never come here. */
  limits({ rateLimitRpm, maxParallel }: Pick<ApiKey, 'rateLimitRpm' | 'maxParallel'>): boolean {
    return this.hasBudgets || rateLimitRpm !== null || maxParallel !== null
  }

  /** For a call that has its reservation, and begins later: a budget may be used up meanwhile. */
  findUsedUp(call: LimitedCall): Refusal | null {
    return this.#refuseUsedUp(this.#findBudgets(call))
  }

  /** Of those that count the call, what has the least left; of several, what resets last. */
  findFullest(call: LimitedCall): BudgetState | null {
    const states = this.#findBudgets(call).map(({ state }) => state)
    const [first = null] = states.toSorted(
      (one, other) =>
        percentOfState(other) - percentOfState(one) || other.span.endMs - one.span.endMs,
    )
    return first
  }

  #refuseUsedUp(budgets: readonly KnownBudget[]): Refusal | null {
    const usedUp = findUsedUp(budgets, this.#options.clock.now())
    return usedUp === null ? null : refuseBudget(usedUp.state)
  }

  /** Calls back once, maybe at once: null lets the call go on. After a release it does not. */
  reserve(call: LimitedCall, done: Done): Reservation {
    const budgets = this.#findBudgets(call)
    const usedUp = this.#refuseUsedUp(budgets)
    if (usedUp !== null) {
      done(usedUp)
      return NOTHING_RESERVED
    }
    const hasLimits = call.rpm !== null || call.maxParallel !== null
    const isFree = budgets.length === 0 || !call.isPaid
    if (isFree && !hasLimits) {
      done(null)
      return NOTHING_RESERVED
    }
    const request = toRequest(call, isFree ? NONE : budgets)
    const options = { ...this.#options, done, pending: this.#pending }
    const reservation = new CallReservation(call, options)
    if (!hasLimits && this.#canPass(request, budgets)) reservation.report(request)
    else reservation.request(request)
    return reservation
  }

  #findBudgets(call: LimitedCall): readonly KnownBudget[] {
    if (this.#index === null || call.isPlan === true) return NONE
    const { keyId, providerId, dims } = call
    const model = this.hasModels ? call.findModel() : null
    const found = this.#index.find({ keyId, provider: providerId, model, dims })
    return found.flatMap((known) => this.#toCounter(known, call) ?? NONE)
  }

  /** A budget itself; of a rule the caller's own, and null where it is for others alone. */
  #toCounter(known: KnownBudget, call: Pick<CoveredCall, 'keyId' | 'dims'>): KnownBudget | null {
    const { each } = known.state.budget
    if (each === 'none') return known
    const member = memberOf(each, call)
    if (member === null) return null
    const id = counterIdOf(known.id, member)
    const state = this.#counters.get(id) ?? {
      ...toCounterState(known.state, member),
      reserved: 0n,
    }
    return { id, scope: known.scope, state }
  }

  #canPass({ budgets }: ReservationRequest, known: readonly KnownBudget[]): boolean {
    const states = new Map(known.map(({ id, state }) => [id, state]))
    const stateOf = (id: string): LimitedBudget => states.get(id) as LimitedBudget
    return this.#fastPath.take(budgets, stateOf, this.#options.clock.now())
  }

  /** Most budgets are unchanged, and callers wait meanwhile: what need not change is kept. */
  #update({ states, gone, workers, reports }: BudgetUpdate): void {
    let isSame = gone.every((id) => memberIdOf(id) !== null)
    for (const id of gone) {
      this.#budgets.delete(id)
      this.#counters.delete(id)
    }
    for (const state of states) {
      const { id, scope, member } = state.budget
      if (member !== undefined) {
        this.#counters.set(id, state)
        continue
      }
      const known = this.#budgets.get(id)
      if (known !== undefined && formatScope(known.scope) === formatScope(scope)) {
        known.state = state
      } else {
        this.#budgets.set(id, { id, scope, state })
        isSame = false
      }
    }
    this.#fastPath.updated(workers, reports)
    const all = [...this.#budgets.values()]
    const budgets = all.filter(({ state }) => state.budget.each === 'none')
    if (!isSame) {
      this.#index = all.length === 0 ? null : createBudgetIndex(all, this.#options.slugOf)
      this.hasModels = all.some(({ scope }) => scope.kind === 'model')
      this.hasBudgets = all.length > 0
    }
    this.#modelRules = all.filter(
      ({ scope, state }) => scope.kind === 'model' && state.budget.each !== 'none',
    )
    this.#blocked = this.hasModels ? budgets.flatMap((known) => this.#toBlocked(known)) : NONE
  }

  #toBlocked(known: KnownBudget): readonly KnownBlocked[] {
    const { scope, state } = known
    if (scope.kind !== 'model' || usedOf(state) < state.budget.limit) return NONE
    const policy = createModelPolicy([scope.pattern])
    const isStillUsedUp = (): boolean => this.#isUsedUp(known)
    const refusal = (unread?: string): Refusal => refuseBudget(known.state, unread)
    return [{ known, policy, isUsedUp: isStillUsedUp, refusal }]
  }

  #isUsedUp({ id }: KnownBudget): boolean {
    const state = this.#budgets.get(id)?.state ?? this.#counters.get(id)
    return state !== undefined && isUsedUp(state, this.#options.clock.now())
  }
}

function toRequest(call: LimitedCall, budgets: readonly KnownBudget[]): ReservationRequest {
  const size = { requestBytes: call.requestBytes, outputTokensMax: null }
  const sized = budgets.length === 0 ? size : { ...size, outputTokensMax: call.findOutputMax() }
  return {
    callId: call.id,
    keyId: call.keyId,
    rpm: call.rpm,
    maxParallel: call.maxParallel,
    budgets: budgets.map(({ id, state }) => ({ id, expected: expect(state, sized, call) })),
  }
}

/** Where no call is known at all, one of a known kind is likely to be a small one. */
function expect(state: LimitedBudget, size: RequestSize, { isKnown }: LimitedCall): Money {
  return state.usual !== null || isKnown ? expectedCost(state.usual, size) : costOfUnknown(state)
}

function percentOfState(state: BudgetState): number {
  return percentOf(usedOf(state), state.budget.limit)
}

/** Of several the one that resets last: only then will the call pass. */
function findUsedUp(budgets: readonly KnownBudget[], nowMs: number): KnownBudget | null {
  let last: KnownBudget | null = null
  for (const budget of budgets) {
    if (!isUsedUp(budget.state, nowMs)) continue
    if (last === null || budget.state.span.endMs > last.state.span.endMs) last = budget
  }
  return last
}

function isUsedUp(state: LimitedBudget, nowMs: number): boolean {
  return nowMs < state.span.endMs && usedOf(state) >= state.budget.limit
}

/** Whether a model at this provider, whose slugs begin like this, can match the pattern. */
function canCover(pattern: ModelPattern, providerId: string, prefix: string): boolean {
  if (pattern.providerId !== null && pattern.providerId !== providerId) return false
  if (pattern.isBare) return true
  const [first = '', ...others] = pattern.parts
  return first.startsWith(prefix) || (others.length > 0 && prefix.startsWith(first))
}
