// The worker's side of the gate: calls of keys with limits, and calls that a blocking budget covers, ask the gatekeeper
// before they go on. All others never come here. Must stay true: Weir does not stop the flow by accident, so that a call
// which gets no answer goes on, and is counted; and whoever was let in leaves exactly once.

import { createBudgetIndex } from '../core/budget-index.ts'
import type { BudgetIndex, SlugOf } from '../core/budget-index.ts'
import type { BudgetScope } from '../core/budget.ts'
import { formatScope } from '../core/budget-scope.ts'
import type { Clock } from '../core/clock.ts'
import { createModelPolicy } from '../core/model-policy.ts'
import type { ModelPattern } from '../core/model-policy.ts'
import type { Meter } from '../core/telemetry.ts'
import { FastPath } from './fast-path.ts'
import { refuseBudget, toRefusal } from './limit-refusal.ts'
import { expectedCost } from './expected-cost.ts'
import type { LimitedCall } from './limited-call.ts'
import type {
  LimiterMessage,
  ReservationAnswer,
  ReservationRequest,
  LimitedBudget,
} from './limit-bank.ts'
import type { BlockedModels } from '../policy/policy.ts'
import type { Refusal } from '../policy/refusal.ts'

/** How the gatekeeper is reached. */
export interface LimitConnection {
  /** `isUrgent`: now, rather than with all else of this turn. False where nobody is at the other end. */
  say(act: LimiterMessage, isUrgent: boolean): boolean
  /** What was told before is told at once. */
  listen(listener: LimitListener): void
}

export interface LimitListener {
  answered(answers: readonly ReservationAnswer[]): void
  told(told: BudgetUpdate): void
}

/** How the blocking budgets stand. */
export interface BudgetUpdate {
  /** Those that have changed; to a worker that starts, all. */
  readonly states: readonly LimitedBudget[]
  /** Those that block no more, by their ids. */
  readonly gone: readonly string[]
  /** How many share them. */
  readonly workers: number
  /** Of the calls that this worker let through by itself, so many are in what is reserved. */
  readonly heard: number
}

export interface LimiterOptions {
  readonly line: LimitConnection
  readonly slugOf: SlugOf
  readonly clock: Clock
  readonly meter: Meter
}

/** A gatekeeper that is well answers within a millisecond. */
export const ANSWER_MS_MAX = 250

export interface Reservation {
  /** The call is over, or was refused. May be said again. */
  leave(): void
}

interface KnownBudget {
  readonly id: string
  readonly scope: BudgetScope
  state: LimitedBudget
}

interface KnownBlocked extends BlockedModels {
  readonly known: KnownBudget
}

type Done = (refusal: Refusal | null) => void

const NOBODY: Reservation = { leave: () => {} }
const NONE: readonly never[] = []

export class Limiter {
  /** False: only keys with limits have to ask. */
  hasBudgets = false
  /** Some of the budgets cover certain models only. */
  hasModels = false
  readonly #options: LimiterOptions
  readonly #asking = new Map<string, CallReservation>()
  readonly #fastPath = new FastPath()
  readonly #budgets = new Map<string, KnownBudget>()
  #index: BudgetIndex<KnownBudget> | null = null
  /** The used-up ones among those of models. */
  #blocked: readonly KnownBlocked[] = NONE

  constructor(options: LimiterOptions) {
    this.#options = options
    options.line.listen({
      answered: (answers) => {
        for (const { callId, ...verdict } of answers) this.#asking.get(callId)?.answered(verdict)
      },
      told: (told) => this.#told(told),
    })
  }

  /** The used-up budgets that may cover a model at this provider. */
  findBlocked(providerId: string, nowMs: number): readonly BlockedModels[] {
    if (this.#blocked.length === 0) return NONE
    const prefix = this.#options.slugOf(providerId, '')
    return this.#blocked.filter(
      ({ policy, known }) =>
        isUsedUp(known.state, nowMs) &&
        policy.patterns.some((each) => canCover(each, providerId, prefix)),
    )
  }

  /** Calls back once, maybe at once: null lets the call go on. Nothing is called back when it left before. */
  enter(call: LimitedCall, done: Done): Reservation {
    const budgets = this.#findBudgets(call)
    const usedUp = findUsedUp(budgets, this.#options.clock.now())
    if (usedUp !== null) {
      done(refuseBudget(usedUp.state))
      return NOBODY
    }
    const hasLimits = call.rpm !== null || call.maxParallel !== null
    const isFree = budgets.length === 0 || !call.isPaid
    if (isFree && !hasLimits) {
      done(null)
      return NOBODY
    }
    const ask = toAsk(call, isFree ? NONE : budgets)
    const visit = new CallReservation(call, { ...this.#options, done, asking: this.#asking })
    if (!hasLimits && this.#canPass(ask)) visit.tell(ask)
    else visit.ask(ask)
    return visit
  }

  #findBudgets(call: LimitedCall): readonly KnownBudget[] {
    if (this.#index === null) return NONE
    const { keyId, providerId, dims } = call
    const model = this.hasModels ? call.findModel() : null
    return this.#index.find({ keyId, provider: providerId, model, dims })
  }

  #canPass({ budgets }: ReservationRequest): boolean {
    const stateOf = (id: string): LimitedBudget => (this.#budgets.get(id) as KnownBudget).state
    return this.#fastPath.take(budgets, stateOf, this.#options.clock.now())
  }

  /** With many budgets most are as they were, and callers wait meanwhile: what need not be made anew is not. */
  #told({ states, gone, workers, heard }: BudgetUpdate): void {
    let isSame = gone.length === 0
    for (const id of gone) this.#budgets.delete(id)
    for (const state of states) {
      const { id, scope } = state.budget
      const known = this.#budgets.get(id)
      if (known !== undefined && formatScope(known.scope) === formatScope(scope)) {
        known.state = state
      } else {
        this.#budgets.set(id, { id, scope, state })
        isSame = false
      }
    }
    this.#fastPath.told(workers, heard)
    const budgets = [...this.#budgets.values()]
    if (!isSame) {
      this.#index = budgets.length === 0 ? null : createBudgetIndex(budgets, this.#options.slugOf)
      this.hasModels = budgets.some(({ scope }) => scope.kind === 'model')
      this.hasBudgets = budgets.length > 0
    }
    this.#blocked = this.hasModels ? budgets.flatMap((known) => this.#toBlocked(known)) : NONE
  }

  #toBlocked(known: KnownBudget): readonly KnownBlocked[] {
    const { scope, state } = known
    if (scope.kind !== 'model' || state.spent < state.budget.limit) return NONE
    const policy = createModelPolicy([scope.pattern])
    const isStillUsedUp = (): boolean => this.#isUsedUp(known.id)
    const refusal = (unread?: string): Refusal => refuseBudget(known.state, unread)
    return [{ known, policy, isUsedUp: isStillUsedUp, refusal }]
  }

  #isUsedUp(budgetId: string): boolean {
    const known = this.#budgets.get(budgetId)
    return known !== undefined && isUsedUp(known.state, this.#options.clock.now())
  }
}

interface ReservationOptions extends LimiterOptions {
  readonly done: Done
  /** Those that wait for an answer, by the call's id. */
  readonly asking: Map<string, CallReservation>
}

class CallReservation implements Reservation {
  readonly #call: LimitedCall
  readonly #options: ReservationOptions
  #timer: NodeJS.Timeout | undefined
  #isIn = true

  constructor(call: LimitedCall, options: ReservationOptions) {
    this.#call = call
    this.#options = options
  }

  tell(ask: ReservationRequest): void {
    this.#options.line.say({ kind: 'tell', ask }, false)
    this.#options.done(null)
  }

  ask(ask: ReservationRequest): void {
    const { line, asking } = this.#options
    if (!line.say({ kind: 'ask', ask }, false)) return this.#unanswered()
    asking.set(this.#call.id, this)
    this.#timer = setTimeout(() => this.#unanswered(), ANSWER_MS_MAX)
  }

  /** What comes too late is not asked for any more. */
  answered(verdict: Parameters<typeof toRefusal>[0]): void {
    this.#stopWaiting()
    const refusal = toRefusal(verdict, this.#call.keyId)
    // It was not let in, so that there is nothing to leave.
    if (refusal !== null) this.#isIn = false
    this.#options.done(refusal)
  }

  leave(): void {
    if (!this.#isIn) return
    this.#isIn = false
    this.#stopWaiting()
    const { line, clock } = this.#options
    // A caller may send its next call to another worker as soon as it has its answer.
    const isUrgent = this.#call.maxParallel !== null
    line.say({ kind: 'leave', callId: this.#call.id, endedAt: clock.now() }, isUrgent)
  }

  #unanswered(): void {
    this.#stopWaiting()
    this.#options.meter.add('limiterUnanswered', 1)
    this.#options.done(null)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#options.asking.delete(this.#call.id)
  }
}

function toAsk(call: LimitedCall, budgets: readonly KnownBudget[]): ReservationRequest {
  const size = { requestBytes: call.requestBytes, outputTokensMax: null }
  const sized = budgets.length === 0 ? size : { ...size, outputTokensMax: call.findOutputMax() }
  return {
    callId: call.id,
    keyId: call.keyId,
    rpm: call.rpm,
    maxParallel: call.maxParallel,
    budgets: budgets.map(({ id, state }) => ({ id, expected: expectedCost(state.usual, sized) })),
  }
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

function isUsedUp({ budget, span, spent }: LimitedBudget, nowMs: number): boolean {
  return nowMs < span.endMs && spent >= budget.limit
}

/** Whether a model at this provider, whose slugs begin like this, can fit the pattern. */
function canCover(pattern: ModelPattern, providerId: string, prefix: string): boolean {
  if (pattern.providerId !== null && pattern.providerId !== providerId) return false
  const [first = '', ...others] = pattern.parts
  return first.startsWith(prefix) || (others.length > 0 && prefix.startsWith(first))
}
