// What calls cost that ended in a span of any length: whole days from the sums, the days that it
// cuts from the calls, which are kept elsewhere.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Money } from '../../../../core/money.ts'
import type { Snapshot } from '../../../sqlite/snapshots.ts'
import type { RecordReader } from '../../record-reader.ts'
import { CUT_DAY_REQUESTS_MAX, splitSpan, withDayBefore } from '../../sql/span-split.ts'
import { areRecordsWhole, countSpanRequests } from '../span-records.ts'
import type { createSqliteSums } from '../sums.ts'

export interface SpanCostOptions {
  readonly sumUp: ReturnType<typeof createSqliteSums>
  readonly records: Pick<RecordReader, 'sumSpan'>
}

/** Null where a day that is cut has lost records, or has more than are read. */
export async function readSpanCost(
  { file, sql }: Snapshot,
  span: BudgetSpan,
  { sumUp, records }: SpanCostOptions,
): Promise<Money | null> {
  const { whole, cuts } = splitSpan(span)
  let cost = whole === null ? 0n : (sumUp(whole)[0]?.cost ?? 0n)
  for (const { part, day } of cuts) {
    if (countSpanRequests(file, day) === 0) continue
    const isTooMany = countSpanRequests(file, withDayBefore(day)) > CUT_DAY_REQUESTS_MAX
    if (isTooMany || !areRecordsWhole(file, day)) return null
    cost += await records.sumSpan(sql, part)
  }
  return cost
}
