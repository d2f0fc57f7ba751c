// What holds for counted objects on every engine: how long they are remembered, and that no two
// calls count one of them.

import type { CountedObject } from './ledger-progress.ts'
import { COUNTED_KEPT_DAYS } from './ledger-progress.ts'
import { CountedMeanwhile } from './ledger-store.ts'
import type { UsageBatch } from './ledger-store.ts'

const DAY_MS = 86_400_000
/** Twice what a busy batch adds, so that old rows go faster than new ones come. */
const PRUNED_ROWS_MAX = 10_000

/**
 * Days are those on which something was counted, today beside them. By the newest moment alone, one
 * call under a clock that is far ahead would have all objects forgotten, and counted again.
 */
export const PRUNE_COUNTED = `DELETE FROM counted WHERE (provider, name) IN
  (SELECT provider, name FROM counted WHERE ended_at < (
    WITH RECURSIVE days (newest, place) AS (
      SELECT MAX(ended_at), 0 FROM counted
      UNION ALL
      SELECT (SELECT MAX(ended_at) FROM counted WHERE ended_at < newest - newest % ${DAY_MS}),
        place + 1 FROM days WHERE newest IS NOT NULL AND place < ${COUNTED_KEPT_DAYS})
    SELECT newest - newest % ${DAY_MS} FROM days WHERE place = ${COUNTED_KEPT_DAYS})
  ORDER BY ended_at LIMIT ${PRUNED_ROWS_MAX})`

/** A record whose object another event counted first would be counted twice. */
export function requireOwnCounts(
  { counted }: Pick<UsageBatch, 'counted'>,
  /** The calls that are new to the store. */
  ids: ReadonlySet<string>,
  /** What events outside the batch were first to count. */
  taken: readonly CountedObject[],
): void {
  if (taken.length === 0) return
  const names = new Set(taken.map(({ provider, name }) => `${provider} ${name}`))
  const lost = counted.filter(
    ({ provider, name, eventId }) => names.has(`${provider} ${name}`) && ids.has(eventId),
  )
  if (lost.length > 0) throw new CountedMeanwhile(lost)
}
