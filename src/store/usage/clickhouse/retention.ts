// Removes old calls: whole months by dropping their partition, the days of the month that is cut by
// marking their rows. Must stay true: sums by day and month stay, and the book says first from
// which day on calls are complete, so that a kill in between leaves only more than it says.

import { assert } from '../../../core/assert.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import { isTooSlow } from '../../clickhouse/faults.ts'
import type { CallsBook } from '../../ledger/calls-book.ts'
import { toNumber } from '../sql/period-ranges.ts'
import { readMoment } from './moment.ts'

const DAY_MS = 86_400_000

/** Returns how many calls went, or are on their way. */
export async function removeCalls(
  calls: ClickhouseDatabase,
  book: CallsBook,
  beforeMs: number,
): Promise<number> {
  assert(beforeMs % DAY_MS === 0, `records are removed by whole days, not before ${beforeMs}`)
  if (await isRemoving(calls)) return 0
  await removeGivenUp(calls, book)
  const month = toNumber(beforeMs, 'month')
  const moment = await book.readTogether((sql) => readMoment(book, sql))
  const [found] = await calls.all<{ rows: number; counted: number }>(
    `SELECT count() AS rows, sumIf(sign, ${moment}) AS counted FROM calls
      WHERE month <= ${month} AND ended_at < ${beforeMs}`,
  )
  if (found === undefined || found.rows === 0) return 0
  await book.markRemoved(beforeMs)
  const months = await calls.all<{ month: number }>(
    `SELECT DISTINCT month FROM calls WHERE month < ${month} ORDER BY month`,
  )
  for (const old of months) await calls.run(`ALTER TABLE calls DROP PARTITION ${old.month}`)
  await removeRows(calls, `IN PARTITION ${month} WHERE ended_at < ${beforeMs}`)
  return found.counted
}

/** Rows of batches that never counted; at last their numbers need not be known any more. */
async function removeGivenUp(calls: ClickhouseDatabase, book: CallsBook): Promise<void> {
  const conditions: string[] = []
  for (const { from, to, isOld } of await book.listGivenUp()) {
    const condition = `batch BETWEEN ${from} AND ${to}`
    const [row] = await calls.all<{ found: number }>(
      `SELECT count() AS found FROM calls WHERE ${condition}`,
    )
    if ((row?.found ?? 0) > 0) conditions.push(condition)
    else if (isOld) await book.forget({ from, to })
  }
  if (conditions.length > 0) await removeRows(calls, `WHERE ${conditions.join(' OR ')}`)
}

/** What takes longer than a statement may, the server goes on with by itself. */
async function removeRows(calls: ClickhouseDatabase, which: string): Promise<void> {
  try {
    await calls.run(`DELETE FROM calls ${which}`)
  } catch (error) {
    if (!isTooSlow(error)) throw error
  }
}

const PENDING = `SELECT latest_fail_reason AS reason FROM system.mutations
  WHERE database = currentDatabase() AND table = 'calls' AND NOT is_done AND NOT is_killed`

/** Another removal would only wait behind the one that is under way, and one more each hour. */
async function isRemoving(calls: ClickhouseDatabase): Promise<boolean> {
  const pending = await calls.all<{ reason: string }>(PENDING)
  const failed = pending.find(({ reason }) => reason !== '')
  if (failed === undefined) return pending.length > 0
  throw new WeirError('store_unusable', `${calls.title} cannot remove rows: ${failed.reason}`, {
    hint: 'See system.mutations there. It tries again by itself; KILL MUTATION ends it.',
  })
}
