// Removes old records a few at a time, and the sums of their hours. Must stay true: other sums
// stay, and the same transaction stores from which day records are complete. SQLite reuses the
// freed pages.

import { assert } from '../../../core/assert.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { toNumber } from '../sql/period-ranges.ts'
import { toTimeBytes } from '../sql/request-filter.ts'

const DAY_MS = 86_400_000
/** Ids have a call's start, which may lie after its end by as much as the clock was set back. */
const CLOCK_SLACK_MS = 3_600_000

export function removeRecords(file: SqliteFile, beforeMs: number, rowsMax: number): number {
  assert(beforeMs % DAY_MS === 0, `records are removed by whole days, not before ${beforeMs}`)
  const removal = file.prepare(`DELETE FROM records WHERE id IN (
    SELECT id FROM records WHERE id < ? AND ended_at < ? ORDER BY id LIMIT ?)`)
  const mark = file.prepare(
    `UPDATE usage_state SET removed_before = MAX(COALESCE(removed_before, 0), ?), records = records - ?
      WHERE id = 1`,
  )
  // Hours have ten digits; months stay.
  const removeHours = file.prepare(
    'DELETE FROM analysis_parts WHERE period > 999999 AND period < ?',
  )
  return file.transact(() => {
    const removed = removal.run(toTimeBytes(beforeMs + CLOCK_SLACK_MS), beforeMs, rowsMax)
    if (removed > 0) {
      mark.run(beforeMs, removed)
      removeHours.run(toNumber(beforeMs, 'hour'))
    }
    return removed
  })
}
