// The worker's side of the gate: calls of keys with limits, and calls that a blocking budget covers, ask the gatekeeper
// before they go on. All others never come here. Must stay true: Weir does not stop the flow by accident, so that a call
// which gets no answer goes on, and is counted; and whoever was let in leaves exactly once.

import { createBudgetIndex } from '../core/budget-index.ts'
import type { BudgetIndex, SlugOf } from '../core/budget-index.ts'
import type { BudgetScope } from '../core/budget.ts'
import { formatScope } from '../core/budget-scope.ts'
import type { Clock } from '../core/clock.ts'
import { createModelPolicy } from '../core/model-policy.ts'
import type { ModelPattern, ModelPolicy } from '../core/model-policy.ts'
import type { Meter } from '../core/telemetry.ts'
import { FastWay } from './fast-way.ts'
import { refuseBudget, toRefusal } from './gate-refusal.ts'
import { expectedCost } from './expected-cost.ts'
import type { GateCall } from './gate-call.ts'
import type { GateAct, GateAnswer, GateAsk, GateState } from './gatekeeper.ts'
import type { Refusal } from './refusal.ts'

/** How the gatekeeper is reached. */
export interface GateLine {
  /** `isUrgent`: now, rather than with all else of this turn. False where nobody is at the other end. */
  say(act: GateAct, isUrgent: boolean): boolean
  /** What was told before is told at once. */
  listen(listener: GateListener): void
}

export interface GateListener {
  answered(answers: readonly GateAnswer[]): void
  told(told: GateTold): void
}

/** How the blocking budgets stand. */
export interface GateTold {
  /** Those that have changed; to a worker that starts, all. */
  readonly states: readonly GateState[]
  /** Those that block no more, by their ids. */
  readonly gone: readonly string[]
  /** How many share them. */
  readonly workers: number
  /** Of the calls that this worker let through by itself, so many are in what is reserved. */
  readonly heard: number
}

export interface GateOptions {
  readonly line: GateLine
  readonly slugOf: SlugOf
  readonly clock: Clock
  readonly meter: Meter
}

/** A gatekeeper that is well answers within a millisecond. */
export const ANSWER_MS_MAX = 250

/** A used-up budget for certain models: calls must be read before it is known whether it covers them. */
export interface BlockedModels {
  readonly policy: ModelPolicy
  /** False when its period has ended or its limit was raised: a session may go on for long behind it. */
  isUsedUp(): boolean
  /** With why it could not be made out whether a call is covered, where that is so. */
  refusal(unread?: string): Refusal
}

export interface Visit {
  /** The call is over, or was refused. May be said again. */
  leave(): void
}

interface KnownBudget {
  readonly id: string
  readonly scope: BudgetScope
  state: GateState
}

interface KnownBlocked extends BlockedModels {
  readonly known: KnownBudget
}

type Done = (refusal: Refusal | null) => void

const NOBODY: Visit = { leave: () => {} }
const NONE: readonly never[] = []

export class Gate {
  /** False: only keys with limits have to ask. */
  hasBudgets = false
  /** Some of the budgets cover certain models only. */
  hasModels = false
  readonly #options: GateOptions
  readonly #asking = new Map<string, CallVisit>()
  readonly #fastWay = new FastWay()
  readonly #budgets = new Map<string, KnownBudget>()
  #index: BudgetIndex<KnownBudget> | null = null
  /** The used-up ones among those of models. */
  #blocked: readonly KnownBlocked[] = NONE

  constructor(options: GateOptions) {
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
  enter(call: GateCall, done: Done): Visit {
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
    const visit = new CallVisit(call, { ...this.#options, done, asking: this.#asking })
    if (!hasLimits && this.#canPass(ask)) visit.tell(ask)
    else visit.ask(ask)
    return visit
  }

  #findBudgets(call: GateCall): readonly KnownBudget[] {
    if (this.#index === null) return NONE
    const { keyId, providerId, dims } = call
    const model = this.hasModels ? call.findModel() : null
    return this.#index.find({ keyId, provider: providerId, model, dims })
  }

  #canPass({ budgets }: GateAsk): boolean {
    const stateOf = (id: string): GateState => (this.#budgets.get(id) as KnownBudget).state
    return this.#fastWay.take(budgets, stateOf, this.#options.clock.now())
  }

  /** With many budgets most are as they were, and callers wait meanwhile: what need not be made anew is not. */
  #told({ states, gone, workers, heard }: GateTold): void {
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
    this.#fastWay.told(workers, heard)
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

interface VisitOptions extends GateOptions {
  readonly done: Done
  /** Those that wait for an answer, by the call's id. */
  readonly asking: Map<string, CallVisit>
}

class CallVisit implements Visit {
  readonly #call: GateCall
  readonly #options: VisitOptions
  #timer: NodeJS.Timeout | undefined
  #isIn = true

  constructor(call: GateCall, options: VisitOptions) {
    this.#call = call
    this.#options = options
  }

  tell(ask: GateAsk): void {
    this.#options.line.say({ kind: 'tell', ask }, false)
    this.#options.done(null)
  }

  ask(ask: GateAsk): void {
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
    this.#options.meter.add('gateUnanswered', 1)
    this.#options.done(null)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#options.asking.delete(this.#call.id)
  }
}

function toAsk(call: GateCall, budgets: readonly KnownBudget[]): GateAsk {
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

function isUsedUp({ budget, span, spent }: GateState, nowMs: number): boolean {
  return nowMs < span.endMs && spent >= budget.limit
}

/** Whether a model at this provider, whose slugs begin like this, can fit the pattern. */
function canCover(pattern: ModelPattern, providerId: string, prefix: string): boolean {
  if (pattern.providerId !== null && pattern.providerId !== providerId) return false
  const [first = '', ...others] = pattern.parts
  return first.startsWith(prefix) || (others.length > 0 && prefix.startsWith(first))
}
