// Counts that all nodes on a PostgreSQL share: one statement each, and no transaction. Must stay
// true: no request fails or waits long for a count. While the database does not answer, this node
// counts by itself.

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { Bucket, CounterStore, CountedWindow, WindowCount } from '../counter-store.ts'
import { createMemoryCounters } from '../memory-counters.ts'

/** A count takes about a millisecond. */
const ANSWER_MS_MAX = 500
/** After a failure the database is left alone for so long. */
const ALONE_MS = 1000
const REMOVE_EVERY_MS = 60_000
/** Of those that still count; who makes up more pushes out what ends first. */
const ROWS_MAX = 100_000

export interface SharedCountersOptions {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly rowsMax?: number
  readonly answerMsMax?: number
}

export function createSharedCounters(options: SharedCountersOptions): CounterStore {
  const { database, clock, answerMsMax = ANSWER_MS_MAX } = options
  const own = createMemoryCounters(clock)
  const removeOld = createRemoval(options)
  let aloneUntil = -Infinity

  /** What cannot be counted for all nodes is counted for this one. */
  async function share<Result>(
    count: () => Promise<Result>,
    countAlone: () => Promise<Result>,
  ): Promise<Result> {
    if (clock.monotonic() < aloneUntil) return countAlone()
    try {
      return await inTime(count(), answerMsMax)
    } catch {
      // Whoever reads settings next reports what is wrong with the database.
      aloneUntil = clock.monotonic() + ALONE_MS
      return countAlone()
    } finally {
      removeOld()
    }
  }

  async function take(window: CountedWindow): Promise<WindowCount> {
    const { limit, windowMs } = window
    const now = clock.now()
    const values = { name: toName(window), now, window_ms: windowMs, limit }
    const row = await database.first<WindowRow>(TAKE, values)
    assert(row !== null, 'a window that was counted in has a row')
    const resetMs = windowMs - (now - row.oldest)
    return { isAllowed: row.is_refused === 0, count: row.count, resetMs }
  }

  async function fill(buckets: readonly Bucket[]): Promise<number> {
    const now = clock.now()
    const asked = buckets.map((bucket) => {
      const { size, everyMs } = bucket
      return { name: toName(bucket), every_ms: everyMs, room_ms: (size - 1) * everyMs, bucket }
    })
    const values = { now, asked: JSON.stringify(asked) }
    const rows = await database.all<BucketRow>(FILL, values)
    const waitMs = Math.max(...rows.map((row) => row.wait_ms))
    if (waitMs === 0) return 0
    for (const { name, bucket } of asked) {
      const isFilled = rows.some((row) => row.name === name && row.wait_ms === 0)
      if (isFilled) await giveBack(bucket, 'one')
    }
    return waitMs
  }

  async function giveBack(bucket: Bucket, what: 'one' | 'all'): Promise<void> {
    if (what === 'all') await database.run(EMPTY, [toName(bucket)])
    else await database.run(GIVE_BACK, [bucket.everyMs, toName(bucket)])
  }

  return {
    take: (window) =>
      share(
        () => take(window),
        () => own.take(window),
      ),
    fill: (buckets) =>
      share(
        () => fill(buckets),
        () => own.fill(buckets),
      ),
    giveBack: (bucket, what) =>
      share(
        () => giveBack(bucket, what),
        () => own.giveBack(bucket, what),
      ),
  }
}

async function inTime<Result>(answer: Promise<Result>, answerMsMax: number): Promise<Result> {
  const over = new AbortController()
  const late = pause(answerMsMax, undefined, { signal: over.signal }).then(() => {
    throw new Error('the database took too long to count')
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    over.abort()
    // Both may still fail when nobody waits for them.
    late.catch(() => {})
    answer.catch(() => {})
  }
}

/** A hash: made-up names are as short as others, and nobody's address is kept. */
function toName({ group, name }: Pick<Bucket, 'group' | 'name'>): string {
  return createHash('sha256')
    .update(JSON.stringify([group, name]))
    .digest('base64url')
}

interface WindowRow {
  readonly count: number
  readonly oldest: number
  readonly is_refused: number
}

// A node's time may be some milliseconds behind that of the node before: what is ahead of it counts
// as now, so that no wait is longer than the window.
const TAKE = `INSERT INTO counters AS counter (name, moments, room_ms, is_refused, ends_at)
  VALUES (:name, ARRAY[CAST(:now AS BIGINT)], 0, 0, CAST(:now AS BIGINT) + :window_ms)
  ON CONFLICT (name) DO UPDATE SET (moments, is_refused, ends_at) = (
    SELECT
      CASE WHEN kept.n < :limit THEN kept.moments || CAST(:now AS BIGINT) ELSE kept.moments END,
      CASE WHEN kept.n < :limit THEN 0 ELSE 1 END,
      excluded.ends_at
    FROM (
      SELECT COUNT(*) AS n,
        COALESCE(ARRAY_AGG(LEAST(moment, :now) ORDER BY moment), '{}') AS moments
      FROM UNNEST(counter.moments) AS moment WHERE moment > CAST(:now AS BIGINT) - :window_ms
    ) AS kept)
  RETURNING CARDINALITY(moments) AS count, moments[1] AS oldest, is_refused`

interface BucketRow {
  readonly name: string
  /** 0: one was added. */
  readonly wait_ms: number
}

// In the order of names, so that two at once never wait for each other. A full bucket ends at most
// one pause beyond its room: where it seems to end later, the clock was set back.
const FILL = `INSERT INTO counters AS counter (name, moments, room_ms, is_refused, ends_at)
  SELECT name, '{}', room_ms, 0, CAST(:now AS BIGINT) + every_ms
  FROM JSON_TO_RECORDSET(CAST(:asked AS JSON)) AS asked
    (name TEXT, every_ms BIGINT, room_ms BIGINT)
  ORDER BY name
  ON CONFLICT (name) DO UPDATE SET (room_ms, is_refused, ends_at) = (
    SELECT excluded.room_ms,
      CASE WHEN ends > :now + excluded.room_ms THEN 1 ELSE 0 END,
      CASE WHEN ends > :now + excluded.room_ms THEN ends
        ELSE GREATEST(ends, :now) + excluded.ends_at - :now END
    FROM (SELECT LEAST(counter.ends_at, excluded.ends_at + excluded.room_ms) AS ends) AS known)
  RETURNING name, CASE WHEN is_refused = 1
    THEN ends_at - room_ms - CAST(:now AS BIGINT) ELSE 0 END AS wait_ms`

const GIVE_BACK = 'UPDATE counters SET ends_at = ends_at - ? WHERE name = ?'
const EMPTY = 'DELETE FROM counters WHERE name = ?'

const REMOVE_SURPLUS = `DELETE FROM counters WHERE name IN (
  SELECT name FROM counters ORDER BY ends_at DESC OFFSET ?)`

/** Now and again, beside the requests. */
function createRemoval(options: SharedCountersOptions): () => void {
  const { database, clock, rowsMax = ROWS_MAX } = options
  let removedAt = clock.monotonic()

  async function remove(): Promise<void> {
    await database.run('DELETE FROM counters WHERE ends_at <= ?', [clock.now()])
    await database.run(REMOVE_SURPLUS, [rowsMax])
  }

  return () => {
    if (clock.monotonic() - removedAt < REMOVE_EVERY_MS) return
    removedAt = clock.monotonic()
    // The next time will do as well.
    remove().catch(() => {})
  }
}
