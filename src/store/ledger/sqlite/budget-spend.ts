// Counts what the watched budgets spend, inside the transaction that stores the calls. Must stay
// true: no figure stays in memory between batches, so a failed batch leaves no trace and several
// processes may count the same budgets.

import { spanOf } from '../../../core/budget.ts'
import type { Budget, BudgetPeriod } from '../../../core/budget.ts'
import { createBudgetIndex } from '../../../core/budget-index.ts'
import type { BudgetIndex, SlugOf } from '../../../core/budget-index.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { createBudgetPages } from './budget-pages.ts'
import type { BudgetPages, OpenOptions, Page } from './budget-pages.ts'
import { basisOf } from './budget-rows.ts'
import { prepareCostRevision } from '../../usage/sqlite/cost-changes.ts'
import { isStorableEnd } from '../../usage/sql/record-row.ts'

/** Longer than any call is late by. */
const ROWS_KEPT_MS = 400 * 86_400_000

export interface WatchOptions {
  readonly slugOf: SlugOf
  readonly nowMs: number
}

export interface BudgetCounter {
  watch(budgets: readonly Budget[], options: WatchOptions): void
  recount(nowMs: number): void
  /** Call it in the transaction before storing a record. Null where no budget is watched. */
  begin(records: readonly UsageRecord[]): BatchCount | null
}

export interface BatchCount {
  /** To be called for every record that is new to the store, in order. */
  add(record: UsageRecord): void
  write(): void
}

interface Watched {
  readonly sinceMs: number
  readonly byPeriod: ReadonlyMap<BudgetPeriod, readonly Budget[]>
  readonly index: BudgetIndex
  readonly slugOf: SlugOf
}

export function createBudgetCounter(file: SqliteFile): BudgetCounter {
  const pages = createBudgetPages(file)
  const readCostRevision = prepareCostRevision(file)
  let watched = toWatched([], { slugOf: () => '', nowMs: 0 })
  // Null at the start, when all rows are trusted. Later, a row for a budget not in here may have
  // been started by another process and lacks what this one added.
  let known: ReadonlySet<string> | null = null

  /** Limits and thresholds may have changed, so all are checked. */
  function judgePeriods(
    { byPeriod, slugOf }: Watched,
    nowMs: number,
    isNew: (budget: Budget) => boolean,
  ): void {
    const costRevision = readCostRevision()
    const isInDoubt: OpenOptions['isInDoubt'] = (budget, stored) =>
      stored.costRevision !== costRevision || isNew(budget)
    for (const [period, budgets] of byPeriod) {
      const page = pages.open(budgets, { span: spanOf(period, nowMs), slugOf, isInDoubt })
      for (const tally of page.tallies.values()) pages.judge(page, tally, nowMs)
      pages.write(page)
    }
  }

  return {
    watch(budgets, { slugOf, nowMs }) {
      const next = toWatched(budgets, { slugOf, nowMs })
      file.transact(() => {
        pages.retain(budgets, nowMs - ROWS_KEPT_MS)
        judgePeriods(next, nowMs, (budget) => known?.has(nameOf(budget)) === false)
      })
      watched = next
      known = new Set(budgets.map(nameOf))
    },
    recount(nowMs) {
      if (watched.byPeriod.size > 0) file.transact(() => judgePeriods(watched, nowMs, () => false))
    },
    begin(records) {
      return watched.byPeriod.size === 0 ? null : createBatchCount(pages, watched, records)
    },
  }
}

function nameOf(budget: Budget): string {
  return `${budget.id} ${basisOf(budget)}`
}

function toWatched(budgets: readonly Budget[], { slugOf, nowMs }: WatchOptions): Watched {
  const byPeriod = Map.groupBy(budgets, ({ period }) => period)
  return { sinceMs: nowMs, byPeriod, index: createBudgetIndex(budgets, slugOf), slugOf }
}

/** Opens every period the batch's calls ended in before any is stored: no recount halfway. */
function createBatchCount(
  pages: BudgetPages,
  { sinceMs, byPeriod, index, slugOf }: Watched,
  records: readonly UsageRecord[],
): BatchCount {
  const opened = new Map<BudgetPeriod, Page[]>()
  for (const [period, budgets] of byPeriod) {
    const ofPeriod: Page[] = []
    opened.set(period, ofPeriod)
    for (const record of records) {
      const atMs = record.event.endedAt
      if (!isForwarded(record) || findPage(ofPeriod, atMs) !== undefined) continue
      const span = spanOf(period, atMs)
      // A budget ignores periods that ended before it was made. If the clock was set back, its date
      // may lie ahead: the period in which it is watched still counts.
      const alive = budgets.filter(({ createdAt }) => Math.min(createdAt, sinceMs) < span.endMs)
      const page = pages.open(alive, { span, slugOf })
      for (const tally of page.tallies.values()) {
        if (tally.isChanged) pages.judge(page, tally, atMs)
      }
      ofPeriod.push(page)
    }
  }

  return {
    add(record) {
      // A free call changes no budget.
      if (record.cost.amount === 0n || !isForwarded(record)) return
      for (const { id, period } of index.find(record.event)) {
        const page = findPage(opened.get(period) as Page[], record.event.endedAt)
        const tally = page?.tallies.get(id)
        if (page !== undefined && tally !== undefined) pages.add(page, tally, record)
      }
    },
    write() {
      for (const page of [...opened.values()].flat()) pages.write(page)
    },
  }
}

/** What cannot be stored is refused later. */
function isForwarded({ event }: UsageRecord): boolean {
  return event.status !== 'denied' && isStorableEnd(event.endedAt)
}

function findPage(pages: readonly Page[], atMs: number): Page | undefined {
  return pages.find(({ span }) => span.startMs <= atMs && atMs < span.endMs)
}
