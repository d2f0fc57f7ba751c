// Counts what the watched budgets spend, inside the transaction that stores the calls. Must stay
// true: no figure is kept in memory from one batch to the next, so a batch that fails leaves no
// trace, and several processes may count the same budgets.

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
import { isStorableEnd } from '../../usage/sqlite/record-row.ts'

/** Longer than any call is late by. */
const ROWS_KEPT_MS = 400 * 86_400_000

export interface WatchOptions {
  readonly slugOf: SlugOf
  readonly nowMs: number
}

export interface BudgetCounter {
  watch(budgets: readonly Budget[], options: WatchOptions): void
  recount(nowMs: number): void
  /**
   * Inside the transaction, before the first of the batch's records is stored. Null where no budget
   * is watched.
   */
  begin(records: readonly UsageRecord[]): BatchCount | null
}

export interface BatchCount {
  /** To be called for every record that was not stored before, in their order. */
  add(record: UsageRecord): void
  /** Behind the last of them. */
  write(): void
}

interface Watched {
  /** When it began. */
  readonly sinceMs: number
  readonly byPeriod: ReadonlyMap<BudgetPeriod, readonly Budget[]>
  readonly index: BudgetIndex
  readonly slugOf: SlugOf
}

export function createBudgetCounter(file: SqliteFile): BudgetCounter {
  const pages = createBudgetPages(file)
  const readCostRevision = prepareCostRevision(file)
  let watched = toWatched([], { slugOf: () => '', nowMs: 0 })
  /**
   * Those that were watched so far. At the start all rows are taken as they are; later another
   * process may have begun a row for a new one, to which this one has added nothing.
   */
  let known: ReadonlySet<string> | null = null

  /** Limits and thresholds may be others than they were, so all are judged. */
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

/**
 * Opens a page for every period that a call of the batch ended in, while none of them is on record
 * yet. All budgets of the period get their row with its first call, so that none has to be counted
 * in the middle of it.
 */
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
      // A budget says nothing about periods that were over when it was made. Its date may be ahead
      // of the clock, which was set back since: the period in which it is watched is its own all
      // the same.
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
      // What is charged nothing moves no budget.
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

/** What cannot be stored is refused as such, later. */
function isForwarded({ event }: UsageRecord): boolean {
  return event.status !== 'denied' && isStorableEnd(event.endedAt)
}

function findPage(pages: readonly Page[], atMs: number): Page | undefined {
  return pages.find(({ span }) => span.startMs <= atMs && atMs < span.endMs)
}
