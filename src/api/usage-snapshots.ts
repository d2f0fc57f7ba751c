// Snapshots of usage figures: whoever asks the same within a while is given the same, from every process on the
// same settings store. Must stay true: a burst of equal questions is answered by one computation, and no snapshot
// outlives its UTC day or a change of the costs it sums.

import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { Snapshot, SnapshotStore } from '../store/settings/settings-store.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'
import { describeError } from './answer-error.ts'
import type { ApiLog } from './answer-error.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { readUsage } from './usage-query.ts'
import { endOfDay, toMonth, toPeriod } from './windows.ts'

const MINUTE_MS = 60_000
/** Another process writes for milliseconds at a time, perhaps its snapshot of the same. */
const SHARE_ATTEMPTS_MAX = 5
const SHARE_PAUSE_MS = 20
/** Characters kept in memory, beside those in the store; the oldest make room. A common answer has some 600. */
export const REMEMBERED_LENGTH_MAX = 32_000_000

export interface UsageAnswer {
  /** The envelope as JSON. */
  readonly text: string
  /** Until when the same question has the same answer. Exclusive. */
  readonly validUntil: number
}

export interface UsageSnapshots {
  read(query: UsageQuery): Promise<UsageAnswer>
}

export interface UsageSnapshotsOptions {
  readonly usage: Pick<UsageStore, 'sum' | 'readCostRevision'>
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly log: Pick<ApiLog, 'warn'>
}

export function createUsageSnapshots(options: UsageSnapshotsOptions): UsageSnapshots {
  const { usage, snapshots, clock, log } = options
  const remembered = new Map<string, Snapshot>()
  let rememberedLength = 0
  const running = new Map<string, Promise<Snapshot>>()

  async function take(query: UsageQuery, identity: string, nowMs: number): Promise<Snapshot> {
    const shared = await snapshots.find(identity)
    if (shared !== null) return shared
    const text = JSON.stringify(await readUsage(query, usage, nowMs))
    return share({ identity, takenAt: nowMs, validUntil: validUntil(query, nowMs), text })
  }

  async function share(taken: Snapshot): Promise<Snapshot> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await snapshots.put(taken)
      } catch (error) {
        if (attempt < SHARE_ATTEMPTS_MAX) {
          await setTimeout(SHARE_PAUSE_MS)
          continue
        }
        // Figures that other processes do not share are better than none.
        log.warn({ error: describeError(error) }, 'A usage snapshot was not shared')
        return taken
      }
    }
  }

  function forget(snapshot: Snapshot): void {
    remembered.delete(snapshot.identity)
    rememberedLength -= snapshot.text.length
  }

  function remember(snapshot: Snapshot): void {
    const before = remembered.get(snapshot.identity)
    if (before !== undefined) forget(before)
    remembered.set(snapshot.identity, snapshot)
    rememberedLength += snapshot.text.length
    for (const oldest of remembered.values()) {
      if (rememberedLength <= REMEMBERED_LENGTH_MAX) return
      forget(oldest)
    }
  }

  async function read(query: UsageQuery): Promise<UsageAnswer> {
    const nowMs = clock.now()
    const identity = identify(query, nowMs, await usage.readCostRevision())
    const known = remembered.get(identity)
    if (known !== undefined && known.takenAt <= nowMs && nowMs < known.validUntil) return known
    // The wait for the revision may have led several here: the first computes, the others wait for it.
    const begun = running.get(identity)
    if (begun !== undefined) {
      const snapshot = await begun
      // It may have been begun before midnight, and asked for behind it.
      return nowMs < snapshot.validUntil ? snapshot : read(query)
    }
    const taking = take(query, identity, nowMs)
    running.set(identity, taking)
    try {
      const snapshot = await taking
      remember(snapshot)
      return snapshot
    } finally {
      running.delete(identity)
    }
  }

  return { read }
}

/** All that an answer depends on. Parameters in another order, or written out though they are the default, are the same. */
function identify(query: UsageQuery, nowMs: number, revision: string): string {
  const { metric, dimension, dimKey, keyId, window } = query
  const { from, to } = toPeriod(query, nowMs)
  // A total and a trend are not cut.
  const limit = dimension === null || dimension === 'day' ? null : query.limit
  return JSON.stringify([metric, dimension, dimKey, keyId, window, from, to, limit, revision])
}

function validUntil(query: UsageQuery, nowMs: number): number {
  return Math.min(nowMs + keptMinutes(query, nowMs) * MINUTE_MS, endOfDay(nowMs))
}

function keptMinutes({ window, month }: UsageQuery, nowMs: number): number {
  switch (window) {
    case 'today':
    case 'last_7_days':
    case 'last_30_days':
      return 1
    case 'yesterday':
    case 'month_to_date':
    case 'monthly_series':
      return 5
    case 'month':
      return month === toMonth(nowMs) ? 5 : 60
    case 'last_month':
      return 60
  }
}
