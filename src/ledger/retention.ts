// Removes calls older than the retention, in small steps, so that neither new calls nor queries
// wait. Must stay true: only whole days are removed; sums by day and month stay.

import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { UsageUpkeep } from '../store/usage/usage-upkeep.ts'

export interface RetentionOptions {
  readonly upkeep: Pick<UsageUpkeep, 'removeRecords'>
  readonly days: number
  readonly clock: Pick<Clock, 'now'>
  readonly meter: Meter
  readonly signal: AbortSignal
  readonly breathMs?: number
}

const DAY_MS = 86_400_000
const STEP_RECORDS = 5000
/** Lets other work run between two steps. */
const BREATH_MS = 100

/** Follows elapsed time: a clock set years ahead while Weir runs must not delete any call. */
export function createCautiousClock(clock: Clock): Pick<Clock, 'now'> {
  const offset = clock.now() - clock.monotonic()
  // Whole milliseconds, as every column has them: the monotonic clock has fractions.
  return { now: () => Math.min(clock.now(), Math.floor(offset + clock.monotonic())) }
}

/** The start of the first day that is kept. */
export function findCut(nowMs: number, days: number): number {
  return (Math.floor(nowMs / DAY_MS) - days) * DAY_MS
}

/** Returns how many were removed; ends early on abort. */
export async function removeOldRecords(options: RetentionOptions): Promise<number> {
  const { upkeep, days, clock, meter, signal, breathMs = BREATH_MS } = options
  const beforeMs = findCut(clock.now(), days)
  let removed = 0
  while (!signal.aborted) {
    const count = await upkeep.removeRecords(beforeMs, STEP_RECORDS)
    removed += count
    if (count > 0) meter.add('recordsRemoved', count)
    if (count < STEP_RECORDS) break
    await pause(breathMs)
  }
  return removed
}
