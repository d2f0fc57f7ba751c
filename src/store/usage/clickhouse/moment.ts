// Which calls in ClickHouse count, as a condition on the numbers of their batches. Must stay true:
// what is read of the book in one transaction and of ClickHouse by this is of one moment.

import type { CallsBook } from '../../ledger/calls-book.ts'
import type { Sql } from '../../sql/sql.ts'

/** A condition on `batch`. */
export type Moment = string

export async function readMoment(book: Pick<CallsBook, 'readBatches'>, sql: Sql): Promise<Moment> {
  const { last, hidden } = await book.readBatches(sql)
  const conditions = [`batch <= ${last}`]
  const single: number[] = []
  for (const { from, to } of hidden) {
    if (from === to) single.push(from)
    else conditions.push(`NOT (batch BETWEEN ${from} AND ${to})`)
  }
  if (single.length > 0) conditions.push(`batch NOT IN (${single.join(', ')})`)
  return conditions.join(' AND ')
}
