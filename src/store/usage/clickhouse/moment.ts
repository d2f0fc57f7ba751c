// Which calls in ClickHouse count, as a condition on the numbers of their batches. Must stay true:
// what is read of the book in one transaction and of ClickHouse by this is of one moment.

import type { BatchRange, CallsBook, CountedBatches } from '../../ledger/calls-book.ts'
import type { Sql } from '../../sql/sql.ts'

/** A condition on `batch`. */
export type Moment = string

export async function readMoment(book: Pick<CallsBook, 'readBatches'>, sql: Sql): Promise<Moment> {
  return toMoment(await book.readBatches(sql))
}

export function toMoment({ last, hidden }: CountedBatches): Moment {
  const conditions = [`batch <= ${last}`]
  const single: number[] = []
  for (const { from, to } of hidden) {
    if (from === to) single.push(from)
    else conditions.push(`NOT (batch BETWEEN ${from} AND ${to})`)
  }
  if (single.length > 0) conditions.push(`batch NOT IN (${single.join(', ')})`)
  return conditions.join(' AND ')
}

/**
 * What counts now and did not then. Batches that were hidden then and are now are left out of the
 * second condition, as an index would find every row beside one that never counted.
 */
export function toMomentSince(now: CountedBatches, then: CountedBatches): Moment {
  const isHidden = ({ from, to }: BatchRange): boolean =>
    now.hidden.some((range) => range.from === from && range.to === to)
  const ranges = then.hidden.filter((range) => !isHidden(range))
  const added = ranges.map(({ from, to }) => ` OR batch BETWEEN ${from} AND ${to}`).join('')
  return `${toMoment(now)} AND (batch > ${then.last}${added})`
}
