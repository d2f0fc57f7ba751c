// What a call under a budget usually costs, to estimate running calls and those of unknown cost;
// and with it what a blocking budget has left.

import type { Budget } from '../core/budget.ts'
import type { SlugOf } from '../core/budget-index.ts'
import type { BudgetState, UsualCall } from '../core/budget-state.ts'
import { isRule } from '../core/budgets/each-budget.ts'
import { divideHalfEven } from '../core/money.ts'
import type {
  BudgetSpend,
  BudgetStates,
  CounterOptions,
  CounterSpends,
} from '../store/ledger/budget-states.ts'

/** With fewer calls in a period, the period before it says more. */
const USUAL_CALLS_MIN = 20

export interface UsualSources {
  readonly budgets: Pick<BudgetStates, 'readPreviousSpend'>
  readonly nowMs: number
}

/** By budget id, for the budgets that have a spend; null where no call is known. */
export async function readUsualCalls(
  budgets: readonly Budget[],
  spends: ReadonlyMap<string, BudgetSpend>,
  sources: UsualSources,
): Promise<ReadonlyMap<string, UsualCall | null>> {
  const young = budgets.filter(({ id }) => (spends.get(id)?.calls ?? 0) < USUAL_CALLS_MIN)
  const before =
    young.length === 0 ? [] : await sources.budgets.readPreviousSpend(young, sources.nowMs)
  const spendsBefore = byBudget(before)
  return new Map(
    [...spends].map(([id, spend]) => [id, toUsualCall(spend, spendsBefore.get(id))] as const),
  )
}

interface StateSources {
  readonly budgets: Pick<BudgetStates, 'readSpend' | 'readPreviousSpend'>
  readonly slugOf: SlugOf
  readonly nowMs: number
}

/** As proxies know them, but for what running calls have reserved; of rules, see below. */
export async function readBudgetStates(
  budgets: readonly Budget[],
  { budgets: states, slugOf, nowMs }: StateSources,
): Promise<readonly BudgetState[]> {
  if (budgets.length === 0) return []
  const spends = byBudget(await states.readSpend(budgets, { slugOf, nowMs }))
  const usuals = await readUsualCalls(budgets, spends, { budgets: states, nowMs })
  return budgets.flatMap((budget) => {
    const spend = spends.get(budget.id)
    if (spend === undefined) return []
    const state = toState(budget, spend, usuals.get(budget.id) ?? null)
    // What a member begins with: a call of it is likely to cost what those of the others do.
    return [isRule(budget) ? { ...state, spent: 0n, unpriced: 0 } : state]
  })
}

export interface CounterStates extends Omit<CounterSpends, 'counters'> {
  readonly states: readonly BudgetState[]
}

/** Of all that have spent something, if not of those that changed or are near their limit. */
export async function readCounterStates(
  rules: readonly Budget[],
  { budgets, slugOf, nowMs }: CounterSources,
  some: Pick<CounterOptions, 'since' | 'percentMin'> = {},
): Promise<CounterStates> {
  if (rules.length === 0) return { moment: 0, states: [], counts: new Map() }
  const asked = { slugOf, nowMs, ...some }
  const { counters, ...others } = await budgets.readCounters(rules, asked)
  const states = counters.map(({ counter, spend }) => {
    return toState(counter, spend, toUsualCall(spend, undefined))
  })
  return { ...others, states }
}

export interface CounterSources extends StateSources {
  readonly budgets: Pick<BudgetStates, 'readSpend' | 'readPreviousSpend' | 'readCounters'>
}

function toState(
  budget: Budget,
  { span, spent, unpriced }: BudgetSpend,
  usual: UsualCall | null,
): BudgetState {
  return { budget, span, spent, usual, unpriced }
}

export function byBudget(spends: readonly BudgetSpend[]): ReadonlyMap<string, BudgetSpend> {
  return new Map(spends.map((spend) => [spend.budgetId, spend]))
}

function toUsualCall(now: BudgetSpend, before: BudgetSpend | undefined): UsualCall | null {
  if (before !== undefined && before.calls > 0 && now.calls < USUAL_CALLS_MIN)
    return average(before)
  return now.calls === 0 ? null : average(now)
}

function average({ spent, calls, requestBytes, outputTokens }: BudgetSpend): UsualCall {
  return {
    cost: divideHalfEven(spent, BigInt(calls)),
    requestBytes: requestBytes / calls,
    outputTokens: outputTokens / calls,
  }
}
