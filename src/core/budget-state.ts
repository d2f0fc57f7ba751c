// How a blocking budget stands, as the ledger tells it to the proxies. It travels between processes: plain values only.

import type { Budget, BudgetSpan } from './budget.ts'
import type { Money } from './money.ts'

/** What a call that it covers has cost on the average, and how large it was. */
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
  /** Of the blocking budgets, all of them. */
  readonly states: readonly BudgetState[]
  /** Calls that ended before it are in `spent`. */
  readonly completeUntil: number
}
