// A blocking budget's state, sent from the ledger to the proxies: hence plain values only.

import type { Budget, BudgetSpan } from './budget.ts'
import type { Money } from './money.ts'

/** The average cost and size of a call in its scope. */
export interface UsualCall {
  readonly cost: Money
  readonly requestBytes: number
  readonly outputTokens: number
}

export interface BudgetState {
  readonly budget: Budget
  readonly span: BudgetSpan
  readonly spent: Money
  /** Null until a call was charged. */
  readonly usual: UsualCall | null
  /** Calls of the span whose cost is not known. */
  readonly unpriced: number
}

/** Ten cents: for a call whose cost is not known, under a budget under which none was charged. */
const UNKNOWN_COST_MAX: Money = 100_000_000_000n
/** But at most this part of the limit, so that one such call does not use up a small budget. */
const UNKNOWN_COST_PARTS = 8n

/** What a call counts as whose cost is not known. */
export function costOfUnknown({ budget, usual }: Pick<BudgetState, 'budget' | 'usual'>): Money {
  if (usual !== null) return usual.cost
  const part = budget.limit / UNKNOWN_COST_PARTS
  return part < UNKNOWN_COST_MAX ? part : UNKNOWN_COST_MAX
}

/** For calls whose cost is not known: they count until it is, or until the period ends. */
export function unknownSum(state: Pick<BudgetState, 'budget' | 'usual' | 'unpriced'>): Money {
  return state.unpriced === 0 ? 0n : costOfUnknown(state) * BigInt(state.unpriced)
}

/** What the budget has no longer to give, but for running calls. */
export function usedOf(state: BudgetState): Money {
  return state.spent + unknownSum(state)
}

export interface BudgetReport {
  /** Of rules, themselves as a member begins, and the counters. */
  readonly states: readonly BudgetState[]
  /** Calls that ended before it are in `spent`. */
  readonly completeUntil: number
  /** Counters that are not in it stand as before; all else is in it. */
  readonly isPartial?: boolean
}

/** Where several nodes share a budget: what they have taken of it, over all of them. */
export interface LeasedMoney {
  /** What they may have reserved at once, and what they have. */
  readonly leased: Money
  readonly reserved: Money
  /** Of `reserved`, what is for calls that have ended and are not on record. */
  readonly ended: Money
  /** The highest limit of which all was spent or leased once; null while something was free. */
  readonly fullyLeasedLimit: Money | null
}
