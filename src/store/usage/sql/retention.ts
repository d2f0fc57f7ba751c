// Removes old records a few at a time, and the sums of their hours. Must stay true: other sums
// stay, and the same transaction stores from which day records are complete.

import { assert } from '../../../core/assert.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type { Dialect } from './dialect.ts'
import { toTimeBytes } from './log/request-filter.ts'
import { toNumber } from './period-ranges.ts'

const DAY_MS = 86_400_000
/** Ids have a call's start, which may lie after its end by as much as the clock was set back. */
const CLOCK_SLACK_MS = 3_600_000

export function requireMidnight(beforeMs: number): void {
  assert(beforeMs % DAY_MS === 0, `records are removed by whole days, not before ${beforeMs}`)
}

/** Returns how many went. */
export async function removeRecords(
  database: SqlDatabase,
  beforeMs: number,
  { rowsMax, dialect }: { readonly rowsMax: number; readonly dialect: Dialect },
): Promise<number> {
  requireMidnight(beforeMs)
  return database.transact(async (sql) => {
    const old = [dialect.toId(toTimeBytes(beforeMs + CLOCK_SLACK_MS)), beforeMs]
    const isOld = 'id < ? AND ended_at < ?'
    const text = `SELECT id FROM records WHERE ${isOld} ORDER BY id LIMIT 1 OFFSET ?`
    const last = await sql.first<{ id: string | Uint8Array }>(text, [...old, rowsMax - 1])
    const removed =
      last === null
        ? await sql.run(`DELETE FROM records WHERE ${isOld}`, old)
        : await sql.run(`DELETE FROM records WHERE ${isOld} AND id <= ?`, [...old, last.id])
    if (removed > 0) await markRemoved(sql, beforeMs, removed)
    return removed
  })
}

/**
 * Sums by hour are kept as long as the records, those of sessions until the last record of their
 * month is gone. Hours have ten digits; months stay.
 */
export async function markRemoved(sql: Sql, beforeMs: number, removed: number): Promise<void> {
  await sql.run(
    `UPDATE usage_state SET records = records - :removed, removed_before =
      CASE WHEN removed_before > :before THEN removed_before ELSE :before END`,
    { removed, before: beforeMs },
  )
  await sql.run('DELETE FROM analysis_parts WHERE period > 999999 AND period < ?', [
    toNumber(beforeMs, 'hour'),
  ])
  await removeSessionSums(sql, beforeMs)
}

/** Of sessions whose calls were all booked elsewhere since. */
export async function removeEmptySessionSums(
  sql: Sql,
  endsMs: readonly number[],
  { isAmong }: Pick<Dialect, 'isAmong'>,
): Promise<void> {
  const months = new Set(endsMs.map((endMs) => toNumber(endMs, 'month')))
  const { sql: isOne, parameters } = isAmong('period', [...months])
  await sql.run(`DELETE FROM session_rollup WHERE requests = 0 AND ${isOne}`, parameters)
}

export async function removeSessionSums(sql: Sql, beforeMs: number): Promise<void> {
  await sql.run('DELETE FROM session_rollup WHERE period < ?', [toNumber(beforeMs, 'month')])
}
