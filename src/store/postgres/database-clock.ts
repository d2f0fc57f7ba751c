// The database's time, so that nodes whose clocks differ agree on what has expired: the local clock
// plus how far the database's is ahead of it, measured now and again. While the database is away
// the last measurement counts.

import type { Clock } from '../../core/clock.ts'
import type { Sql } from '../sql/sql.ts'
import type { StoreClock } from '../store-clock.ts'

const MEASURE_INTERVAL_MS = 10_000

export interface DatabaseClock extends StoreClock {
  close(): void
}

export interface DatabaseClockOptions {
  readonly intervalMs?: number
  readonly readTime?: (sql: Sql) => Promise<number>
}

/** Fails where the database cannot be asked. */
export async function openDatabaseClock(
  sql: Sql,
  clock: Clock,
  options: DatabaseClockOptions = {},
): Promise<DatabaseClock> {
  const { intervalMs = MEASURE_INTERVAL_MS, readTime = readDatabaseTime } = options
  let offsetMs = 0

  async function measure(): Promise<void> {
    const startedAt = clock.monotonic()
    const timeMs = await readTime(sql)
    // The answer is as old as its way back, taken as half of the whole.
    const wayBackMs = (clock.monotonic() - startedAt) / 2
    offsetMs = Math.round(timeMs + wayBackMs - clock.now())
  }

  await measure()
  let isMeasuring = false
  const timer = setInterval(() => {
    if (isMeasuring) return
    isMeasuring = true
    measure()
      // Whoever uses the database next reports that it is away.
      .catch(() => {})
      .finally(() => {
        isMeasuring = false
      })
  }, intervalMs)
  timer.unref()

  return {
    now: () => clock.now() + offsetMs,
    monotonic: () => clock.monotonic(),
    offsetMs: () => offsetMs,
    close: () => clearInterval(timer),
  }
}

async function readDatabaseTime(sql: Sql): Promise<number> {
  const row = await sql.first<{ now: number }>(
    'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
  )
  return Number(row?.now)
}
