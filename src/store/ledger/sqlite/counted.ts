// The objects whose usage was counted, by provider and name. Must stay true: the first to count an
// object stays, and old ones are removed a few at a time so that no batch waits for it.

import type { DatabaseSync } from 'node:sqlite'
import { fromIdBytes, toIdBytes } from '../../usage/sql/record-row.ts'
import type { CountedObject, CountedUse } from '../ledger-book.ts'
import { COUNTED_KEPT_DAYS } from '../ledger-book.ts'

const KEPT_MS = COUNTED_KEPT_DAYS * 86_400_000
/** Twice what a busy batch adds, so that old rows go faster than new ones come. */
const PRUNED_ROWS_MAX = 10_000

export function readCounted(
  database: DatabaseSync,
  objects: readonly CountedObject[],
): readonly CountedUse[] {
  const select = database.prepare(
    'SELECT event_id, ended_at FROM counted WHERE provider = ? AND name = ?',
  )
  return objects.flatMap(({ provider, name }) => {
    const row = select.get(provider, name)
    if (row === undefined) return []
    const eventId = fromIdBytes(row['event_id'] as Uint8Array)
    return [{ provider, name, eventId, endedAt: row['ended_at'] as number }]
  })
}

/** The returned function may only run inside a transaction. */
export function createCountedWriter(
  database: DatabaseSync,
): (counted: readonly CountedUse[]) => void {
  const insert = database.prepare('INSERT OR IGNORE INTO counted VALUES (?, ?, ?, ?)')
  const prune = database.prepare(`DELETE FROM counted WHERE (provider, name) IN
    (SELECT provider, name FROM counted WHERE ended_at < ? ORDER BY ended_at LIMIT ?)`)
  return (counted) => {
    let newest = 0
    for (const { provider, name, eventId, endedAt } of counted) {
      insert.run(provider, name, toIdBytes(eventId), endedAt)
      newest = Math.max(newest, endedAt)
    }
    if (newest > 0) prune.run(newest - KEPT_MS, PRUNED_ROWS_MAX)
  }
}
