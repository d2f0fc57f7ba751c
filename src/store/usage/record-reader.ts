// What sums, budgets and upkeep read of single calls, wherever these are kept: in the database of
// the sums, or in an engine of their own. Must stay true: all of it is of the moment of `sql`, the
// transaction that the sums are read in.

import type { BudgetSpan } from '../../core/budget.ts'
import type { Money } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { Sql } from '../sql/sql.ts'
import type { SpendGroups, SpendSum } from './spend-sums.ts'
import type { CallCost } from './sql/spans/span-record.ts'
import type { SummedRecord } from './sql/summed-record.ts'

export interface RecordReader {
  /**
   * What forwarded calls cost that ended in the span, in any order. Those of the same key, model
   * and dimensions may come together.
   */
  readSpan(sql: Sql, span: BudgetSpan): AsyncIterable<CallCost>
  /** What forwarded calls come to that ended in the span. A group may come in several parts. */
  readSpend(sql: Sql, span: BudgetSpan, groups: SpendGroups): AsyncIterable<SpendSum>
  /** What forwarded calls cost that ended in the span. */
  sumSpan(sql: Sql, span: BudgetSpan): Promise<Money>
  /** Calls that ended in the span, denied ones included, in any order. */
  readSummed(sql: Sql, span: BudgetSpan): AsyncIterable<SummedRecord>
  /** Months in which calls ended, as 202610, and perhaps some more. */
  listMonths(sql: Sql): Promise<readonly number[]>
  /** When the first forwarded call on record began; null where that is not known. */
  readFirstStart(sql: Sql): Promise<number | null>
  /** Those of these ids that are on record. */
  find(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, UsageRecord>>
}
