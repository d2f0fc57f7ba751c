// Old records removed a little at a time. Must stay true: their rollups stay, and from the same
// transaction on the store knows from which day its records are whole. SQLite uses the pages that
// become free for what comes.

import { assert } from '../../../core/assert.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { toTimeBytes } from './request-filter.ts'

const DAY_MS = 86_400_000
/**
 * Ids go by the start of a call. One can lie behind its end by as much as the clock was set back
 * meanwhile; what was set back by more goes a day later.
 */
const CLOCK_SLACK_MS = 3_600_000

export function removeRecords(file: SqliteFile, beforeMs: number, rowsMax: number): number {
  assert(beforeMs % DAY_MS === 0, `records are removed by whole days, not before ${beforeMs}`)
  const removal = file.prepare(`DELETE FROM records WHERE id IN (
    SELECT id FROM records WHERE id < ? AND ended_at < ? ORDER BY id LIMIT ?)`)
  const mark = file.prepare(
    `UPDATE tally SET removed_before = MAX(COALESCE(removed_before, 0), ?), records = records - ?
      WHERE id = 1`,
  )
  return file.transact(() => {
    const removed = removal.run(toTimeBytes(beforeMs + CLOCK_SLACK_MS), beforeMs, rowsMax)
    if (removed > 0) mark.run(beforeMs, removed)
    return removed
  })
}
