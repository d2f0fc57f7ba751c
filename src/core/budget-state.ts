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
}

export interface BudgetReport {
  readonly states: readonly BudgetState[]
  /** Calls that ended before it are in `spent`. */
  readonly completeUntil: number
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
