// What budgets have spent, counted in the transaction that stores the calls, and their alerts. Must
// stay true: a threshold fires once per budget, period and limit, at the call that reaches it, even
// after a kill; the alert is in the outbox if and only if the call is on record.

import type { Budget, BudgetSpan } from '../../core/budget.ts'
import type { SlugOf } from '../../core/budget-index.ts'
import type { Money } from '../../core/money.ts'

export interface BudgetSpend {
  readonly budgetId: string
  readonly span: BudgetSpan
  /** Since when its calls are recorded: the start of the span, or Weir's first call after it. */
  readonly sinceMs: number
  readonly spent: Money
  /** Calls that cost something. Those known only as sums are estimated from the rest; 0 if none. */
  readonly calls: number
  /** Of all these calls together. */
  readonly requestBytes: number
  readonly outputTokens: number
  /** The cost of the most expensive call seen. */
  readonly largest: Money
  /** Calls whose cost is not known: `spent` is too low by theirs. */
  readonly unpriced: number
}

export interface CounterOptions {
  readonly slugOf: SlugOf
  readonly nowMs: number
  /** An earlier answer's moment: only what may have changed since. */
  readonly since?: number | null
  /**
   * Of each rule only who has used so many percent of its limit, or has calls of unknown cost, and
   * who has spent most: of thousands, a few.
   */
  readonly percentMin?: number
}

export interface CounterSpend {
  readonly counter: Budget
  readonly spend: BudgetSpend
}

export interface CounterSpends {
  readonly moment: number
  /** In any order. */
  readonly counters: readonly CounterSpend[]
  /** By rule, how many have spent something; of part of them, all the same. */
  readonly counts: ReadonlyMap<string, number>
}

export interface BudgetStates {
  /**
   * Every later batch counts these budgets and no others; each process calls it before it writes.
   * New or changed budgets, and those whose calls were repriced, are counted from the records. Then
   * all thresholds are checked for the current period; periods before a budget's creation never
   * count.
   */
  watch(
    budgets: readonly Budget[],
    options: { readonly slugOf: SlugOf; readonly nowMs: number },
  ): Promise<void>
  /** Counts again the watched budgets whose calls were repriced, then checks all thresholds. */
  recount(nowMs: number): Promise<void>
  /**
   * Removes the counts of all other budgets, and of periods long over: they are counted again if
   * needed. A store with one node does it while it watches; of several nodes, one that knows all
   * budgets.
   */
  prune(budgets: readonly Budget[], nowMs: number): Promise<void>
  /**
   * What the counters of rules have spent in the current period: those that have, and of each rule
   * the COUNTERS_MAX with the most spend.
   */
  readCounters(rules: readonly Budget[], options: CounterOptions): Promise<CounterSpends>
  /**
   * For the current period, one per budget; of a rule, what its counters come to. Counts those not
   * counted yet for this answer.
   */
  readSpend(
    budgets: readonly Budget[],
    options: { readonly slugOf: SlugOf; readonly nowMs: number },
  ): Promise<readonly BudgetSpend[]>
  /**
   * For a period that is over: as it was counted, or counted again where costs changed since. Null
   * where neither the count nor the calls are on record any more.
   */
  readPeriod(
    budget: Budget,
    options: { readonly slugOf: SlugOf; readonly span: BudgetSpan },
  ): Promise<BudgetSpend | null>
  /** For the period before the current one; budgets that were never counted are absent. */
  readPreviousSpend(budgets: readonly Budget[], nowMs: number): Promise<readonly BudgetSpend[]>
}
