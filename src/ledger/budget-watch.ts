// Keeps the store's budgets as the settings say, and has their state reported. Must stay true: no
// batch is written before the budgets were read once. After that budgets never delay the record:
// what fails is reported once and tried again.

import { spanOf } from '../core/budget.ts'
import type { Budget } from '../core/budget.ts'
import type { Meter } from '../core/telemetry.ts'
import { follow } from '../store/settings/follow.ts'
import type { BudgetStore } from '../store/settings/budget-store.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { createBudgetReports } from './budget-reports.ts'
import type { BudgetReportOptions, RoundOutcome } from './budget-reports.ts'
import { createForecastAlerts } from './forecast-alerts.ts'

export interface BudgetWatchOptions extends BudgetReportOptions {
  readonly budgets: Pick<BudgetStore, 'readChanges'>
  readonly store: Pick<LedgerStore, 'progress' | 'usage'>
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
  /** False where nodes share the budgets: their leader judges once all have caught up. */
  readonly hasForecasts?: boolean
}

export interface BudgetWatch {
  /** To be awaited before a round. Throws only until budgets were read for the first time. */
  before(): Promise<void>
  /** After a round that succeeded. Never throws. */
  after(round: RoundOutcome): Promise<void>
}

/** While something fails: each try may wait for a lock, and the records with it. */
const RETRY_MS = 1000
/** During a repricing, at most a twentieth of the time is spent on recounting. */
const RECOUNT_PART = 20

export function createBudgetWatch(options: BudgetWatchOptions): BudgetWatch {
  const { budgets, store, slugOf, clock, meter, warn } = options
  const reports = createBudgetReports(options)
  const forecasts = options.hasForecasts === false ? null : createForecastAlerts(options)
  let costRevision: string | null = null
  let watched: readonly Budget[] | null = null
  let blocking: readonly Budget[] = []
  /** When the first of their periods ends. */
  let watchedUntil = Infinity
  let recountDueAt = -Infinity
  let hasChanged = false
  let failedAt: number | null = null
  let hasFailedToTell = false

  const lookAtBudgets = follow({
    readChanges: (revision) => budgets.readChanges(revision),
    none: -1,
    take: (changes) => watch(changes.budgets),
  })

  async function watch(next: readonly Budget[]): Promise<void> {
    const nowMs = clock.now()
    await store.progress.budgets.watch(next, { slugOf, nowMs })
    watched = next
    blocking = next.filter(({ isBlocking }) => isBlocking)
    watchedUntil = Math.min(...next.map(({ period }) => spanOf(period, nowMs).endMs))
    hasChanged = true
  }

  async function look(): Promise<void> {
    // Read before counting: a change during the count is then seen the next time.
    const costs = await store.usage.readCostRevision()
    const isNew = await lookAtBudgets()
    const nowMs = clock.now()
    // A new period is counted once here, not again for each question before its first call.
    if (!isNew && nowMs >= watchedUntil) await watch(watched ?? [])
    // Changes from before are counted with the first watch.
    costRevision ??= costs
    if (costs !== costRevision && clock.monotonic() >= recountDueAt) await recount(costs, nowMs)
  }

  async function recount(costs: string, nowMs: number): Promise<void> {
    const beganAt = clock.monotonic()
    if (watched !== null && watched.length > 0) await store.progress.budgets.recount(nowMs)
    recountDueAt = beganAt + RECOUNT_PART * (clock.monotonic() - beganAt)
    costRevision = costs
    hasChanged = true
  }

  return {
    async before() {
      if (failedAt !== null && clock.monotonic() - failedAt < RETRY_MS) return
      try {
        await look()
        failedAt = null
      } catch (error) {
        // Calls stored before the first watch would never be counted.
        if (watched === null) throw error
        meter.add('settingsFailures', 1)
        if (failedAt === null) {
          warn({ err: error }, 'budgets cannot be read or counted; they stay as they were')
        }
        failedAt = clock.monotonic()
      }
    },
    async after(round) {
      try {
        const isFresh = hasChanged || round.hasStored
        await reports.report(blocking, round, { hasChanged })
        await forecasts?.judge(watched ?? [], { hasChanged: isFresh })
        hasChanged = false
        hasFailedToTell = false
      } catch (error) {
        // The calls are on record; the report follows later.
        if (!hasFailedToTell)
          warn({ err: error }, 'what budgets spent cannot be read; it is reported later')
        hasFailedToTell = true
      }
    },
  }
}
