// The objects whose usage was counted, by provider and name. Must stay true: the first to count an
// object stays, and old ones are removed a few at a time so that no batch waits for it.

import type { DatabaseSync } from 'node:sqlite'
import { fromIdBytes, toIdBytes } from '../../usage/sql/record-row.ts'
import { PRUNE_COUNTED, requireOwnCounts } from '../counted-objects.ts'
import type { CountedObject, CountedUse } from '../ledger-book.ts'
import type { UsageBatch } from '../ledger-store.ts'

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

/**
 * The returned function may only run inside a transaction, which fails where another process has
 * counted an object of a new call: a replay runs beside the ledger.
 */
export function createCountedWriter(
  database: DatabaseSync,
): (batch: Pick<UsageBatch, 'counted'>, newIds: ReadonlySet<string>) => void {
  const insert = database.prepare('INSERT OR IGNORE INTO counted VALUES (?, ?, ?, ?)')
  const prune = database.prepare(PRUNE_COUNTED)
  return (batch, newIds) => {
    const { counted } = batch
    if (counted.length === 0) return
    const known = counted.filter(({ provider, name, eventId, endedAt }) => {
      return insert.run(provider, name, toIdBytes(eventId), endedAt).changes === 0
    })
    const own = new Set(counted.map(({ eventId }) => eventId))
    const taken = readCounted(database, known).filter(({ eventId }) => !own.has(eventId))
    requireOwnCounts(batch, newIds, taken)
    prune.run()
  }
}
