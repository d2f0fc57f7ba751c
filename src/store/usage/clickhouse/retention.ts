// Removes old calls: whole months by dropping their partition, the days of the month that is cut by
// marking their rows. Must stay true: sums by day and month stay, and the book says first from
// which day on calls are complete, so that a kill in between leaves only more than it says.

import { assert } from '../../../core/assert.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallsBook } from '../../ledger/calls-book.ts'
import { toNumber } from '../sql/period-ranges.ts'

const DAY_MS = 86_400_000
/** Returns how many went. */
export async function removeCalls(
  calls: ClickhouseDatabase,
  book: CallsBook,
  beforeMs: number,
): Promise<number> {
  assert(beforeMs % DAY_MS === 0, `records are removed by whole days, not before ${beforeMs}`)
  await removeGivenUp(calls, book)
  const [row] = await calls.all<{ found: number }>(
    `SELECT count() AS found FROM calls WHERE month <= ${toNumber(beforeMs, 'month')}
      AND ended_at < ${beforeMs} AND sign = 1`,
  )
  const found = row?.found ?? 0
  if (found === 0) return 0
  await book.markRemoved(beforeMs)
  const month = toNumber(beforeMs, 'month')
  const months = await calls.all<{ month: number }>(
    `SELECT DISTINCT month FROM calls WHERE month < ${month} ORDER BY month`,
  )
  for (const old of months) await calls.run(`ALTER TABLE calls DROP PARTITION ${old.month}`)
  await calls.run(`DELETE FROM calls WHERE month = ${month} AND ended_at < ${beforeMs}`)
  return found
}

/** Rows of batches that never counted; at last their numbers need not be known any more. */
async function removeGivenUp(calls: ClickhouseDatabase, book: CallsBook): Promise<void> {
  for (const { from, to, isOld } of await book.listGivenUp()) {
    const where = `batch BETWEEN ${from} AND ${to}`
    const [row] = await calls.all<{ found: number }>(
      `SELECT count() AS found FROM calls WHERE ${where}`,
    )
    if ((row?.found ?? 0) > 0) await calls.run(`DELETE FROM calls WHERE ${where}`)
    else if (isOld) await book.forget({ from, to })
  }
}
