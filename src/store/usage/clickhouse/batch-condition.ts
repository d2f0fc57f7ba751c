// Which calls in ClickHouse count, as a condition on the numbers of their batches. Must stay true:
// what is read of the ledger database in one transaction and of ClickHouse by this is of one
// moment.

import type { BatchRange, CallBatches, CountedBatches } from '../../ledger/call-batches.ts'
import type { Sql } from '../../sql/sql.ts'

/** A condition on `batch`. */
export type BatchCondition = string

export async function readBatchCondition(
  callBatches: Pick<CallBatches, 'readBatches'>,
  sql: Sql,
): Promise<BatchCondition> {
  return toBatchCondition(await callBatches.readBatches(sql))
}

export function toBatchCondition({ last, hidden }: CountedBatches): BatchCondition {
  const conditions = [`batch <= ${last}`]
  const single = listSingle(hidden)
  for (const { from, to } of hidden) {
    if (from !== to) conditions.push(`NOT (batch BETWEEN ${from} AND ${to})`)
  }
  if (single.length > 0) conditions.push(`batch NOT IN (${single.join(', ')})`)
  return conditions.join(' AND ')
}

/** Batches that count now and did not before; null where there are none. */
export function toConditionSince(
  before: CountedBatches,
  now: CountedBatches,
): BatchCondition | null {
  const hiddenNow = new Set(now.hidden.map(({ from }) => from))
  // Numbers that were given up as a range never count.
  const counted = listSingle(before.hidden).filter((batch) => !hiddenNow.has(batch))
  const hiddenSince = now.hidden.reduce(
    (sum, { from, to }) => sum + Math.max(0, to - Math.max(from - 1, before.last)),
    0,
  )
  const conditions: string[] = []
  if (now.last - before.last > hiddenSince) conditions.push(`batch > ${before.last}`)
  if (counted.length > 0) conditions.push(`batch IN (${counted.join(', ')})`)
  return conditions.length === 0
    ? null
    : `${toBatchCondition(now)} AND (${conditions.join(' OR ')})`
}

function listSingle(ranges: readonly BatchRange[]): readonly number[] {
  return ranges.filter(({ from, to }) => from === to).map(({ from }) => from)
}
