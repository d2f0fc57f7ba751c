// What calls cost that ended in a span of any length: whole days from the sums, the days that it
// cuts from their records.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Money } from '../../../../core/money.ts'
import type { Sql } from '../../../sql/sql.ts'
import type { RecordReader } from '../../record-reader.ts'
import type { Dialect } from '../dialect.ts'
import { areRecordsWhole } from '../scope.ts'
import type { SumUp } from '../sums.ts'
import { countSpanRequests } from './span-records.ts'
import { CUT_DAY_REQUESTS_MAX, splitSpan, withDayBefore } from './span-split.ts'

export interface SpanCostOptions {
  readonly sumUp: SumUp
  readonly records: RecordReader
  readonly dialect: Dialect
  readonly requestsMax?: number
}

/** Null where a day that is cut has lost records, or has more than are read. */
export async function readSpanCost(
  sql: Sql,
  span: BudgetSpan,
  { sumUp, records, dialect, requestsMax = CUT_DAY_REQUESTS_MAX }: SpanCostOptions,
): Promise<Money | null> {
  const { whole, cuts } = splitSpan(span)
  let cost = whole === null ? 0n : ((await sumUp(sql, whole))[0]?.cost ?? 0n)
  for (const { part, day } of cuts) {
    if ((await countSpanRequests(sql, day, dialect)) === 0) continue
    const isTooMany = (await countSpanRequests(sql, withDayBefore(day), dialect)) > requestsMax
    if (isTooMany || !(await areRecordsWhole(sql, day))) return null
    cost += await records.sumSpan(sql, part)
  }
  return cost
}
