// The state of a blocking budget, as the ledger sends it to the proxies. It is sent between
// processes, so it has plain values only.

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
  /** All blocking budgets. */
  readonly states: readonly BudgetState[]
  /** Calls that ended before it are in `spent`. */
  readonly completeUntil: number
}
