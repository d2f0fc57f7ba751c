// What budgets have spent, counted in the same transaction as the calls themselves, and the alerts
// that come of it. Must stay true: a threshold fires exactly once for a budget, a period and a
// limit, at the very call that reaches it, whatever is killed in between; the alert is in the
// outbox if and only if the call is on record.

import type { Budget, BudgetSpan } from '../../core/budget.ts'
import type { SlugOf } from '../../core/budget-index.ts'
import type { Money } from '../../core/money.ts'

/** Of one budget in one period. */
export interface BudgetSpend {
  readonly budgetId: string
  readonly span: BudgetSpan
  readonly spent: Money
  /**
   * Calls that were charged more than nothing. The figures below are of these, but for `unpriced`.
   * Where some are known from sums alone, they are taken to be like the rest: good for averages,
   * and 0 while none was seen.
   */
  readonly calls: number
  /** Of all of them together. */
  readonly requestBytes: number
  readonly outputTokens: number
  /** What the most expensive of those that were seen cost. */
  readonly largest: Money
  /** Calls whose cost is not known: `spent` is too low by theirs. */
  readonly unpriced: number
}

export interface BudgetStates {
  /**
   * From now on every batch that this store writes counts these budgets and no others. Those that
   * are new, or whose scope or period changed, or whose calls were given other costs, are counted
   * from what is on record; then all thresholds are judged for the period of the moment. Periods
   * that were over when a budget was made do not concern it. To be called by every process before
   * it writes.
   */
  watch(
    budgets: readonly Budget[],
    options: { readonly slugOf: SlugOf; readonly nowMs: number },
  ): Promise<void>
  /**
   * Those of the watched budgets that were counted by other costs are counted again, and all are
   * judged.
   */
  recount(nowMs: number): Promise<void>
  /**
   * In the period of the moment, one for each budget. A budget that was not counted yet is counted
   * for this answer.
   */
  readSpend(
    budgets: readonly Budget[],
    options: { readonly slugOf: SlugOf; readonly nowMs: number },
  ): Promise<readonly BudgetSpend[]>
  /** Of the period before that of the moment; those that were never counted are absent. */
  readPreviousSpend(budgets: readonly Budget[], nowMs: number): Promise<readonly BudgetSpend[]>
}
