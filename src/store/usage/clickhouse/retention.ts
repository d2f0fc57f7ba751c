// Removes old calls: whole months by dropping their parts, the days of the month that is cut by
// marking their rows. Must stay true: only calls go that are in the kept sums, and the ledger
// database says first from which day on calls are complete, so that a kill in between leaves only
// more than it says. A late call stays until it is summed.

import { assert } from '../../../core/assert.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import { isPartGone, isTooSlow } from '../../clickhouse/faults.ts'
import type { CallBatches } from '../../ledger/call-batches.ts'
import { toNumber } from '../sql/period-ranges.ts'
import { toBatchCondition } from './batch-condition.ts'
import { updateSums } from './update-sums.ts'

const DAY_MS = 86_400_000
/** Parts that are merged meanwhile have other names; what is left goes the next time. */
const TRIES_MAX = 3

/** Brings the sums up to date first. Returns how many calls went, or are on their way. */
export async function removeCalls(
  calls: ClickhouseDatabase,
  callBatches: CallBatches,
  beforeMs: number,
): Promise<number> {
  assert(beforeMs % DAY_MS === 0, `records are removed by whole days, not before ${beforeMs}`)
  const kept = await updateSums(calls, callBatches)
  if (await isRemoving(calls)) return 0
  await removeGivenUp(calls, callBatches)
  if (kept === null) return 0
  const month = toNumber(beforeMs, 'month')
  const isSummed = toBatchCondition(kept.of)
  const old = { month, isSummed }
  const isCut = `ended_at < ${beforeMs} AND ${isSummed}`
  const [cut] = await calls.all<{ rows: number; counted: number }>(
    `SELECT count() AS rows, sum(sign) AS counted FROM calls WHERE month = ${month} AND ${isCut}`,
  )
  const { rows = 0, counted = 0 } = cut ?? {}
  if (rows === 0 && (await listParts(calls, old)).length === 0) return 0
  await callBatches.markRemoved(beforeMs)
  const removed = await dropParts(calls, old)
  if (rows > 0) await removeRows(calls, `IN PARTITION ${month} WHERE ${isCut}`)
  return removed + counted
}

interface OldParts {
  /** Of earlier ones. */
  readonly month: number
  readonly isSummed: string
}

interface OldPart {
  readonly name: string
  readonly counted: number
}

/** Those without a row that is not in the sums. */
async function listParts(
  calls: ClickhouseDatabase,
  { month, isSummed }: OldParts,
): Promise<readonly OldPart[]> {
  return calls.all<OldPart>(
    `SELECT _part AS name, sum(sign) AS counted FROM calls WHERE month < ${month}
      GROUP BY name HAVING countIf(NOT (${isSummed})) = 0 ORDER BY name`,
  )
}

async function dropParts(calls: ClickhouseDatabase, old: OldParts): Promise<number> {
  let removed = 0
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const parts = await listParts(calls, old)
    if (parts.length === 0) break
    for (const { name, counted } of parts) {
      if (await dropPart(calls, name)) removed += counted
    }
  }
  return removed
}

/** By its name, so that no row goes that came later. */
async function dropPart(calls: ClickhouseDatabase, name: string): Promise<boolean> {
  try {
    await calls.run(`ALTER TABLE calls DROP PART '${name}'`)
    return true
  } catch (error) {
    if (isPartGone(error)) return false
    throw error
  }
}

/** Rows of batches that never counted; at last their numbers need not be known any more. */
async function removeGivenUp(calls: ClickhouseDatabase, callBatches: CallBatches): Promise<void> {
  const conditions: string[] = []
  for (const { from, to, isOld } of await callBatches.listGivenUp()) {
    const condition = `batch BETWEEN ${from} AND ${to}`
    const [row] = await calls.all<{ found: number }>(
      `SELECT count() AS found FROM calls WHERE ${condition}`,
    )
    if ((row?.found ?? 0) > 0) conditions.push(condition)
    else if (isOld) await callBatches.forget({ from, to })
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
