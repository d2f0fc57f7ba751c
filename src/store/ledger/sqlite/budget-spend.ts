// Counts what the watched budgets spend, inside the transaction that stores the calls. Must stay
// true: no figure stays in memory between batches, so a failed batch leaves no trace and several
// processes may count the same budgets.

import { spanOf } from '../../../core/budget.ts'
import type { Budget, BudgetPeriod } from '../../../core/budget.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { prepareCostRevision } from '../../usage/sqlite/cost-changes.ts'
import { createPage, listChanged, listReached } from '../budget-page.ts'
import type { Page } from '../budget-page.ts'
import type { SpendFigures } from '../spend-figures.ts'
import {
  createBatchCount,
  listWantedPages,
  nameOf,
  NO_BUDGETS,
  SPEND_KEPT_MS,
  toWatched,
} from '../watched-budgets.ts'
import type { Watched, WatchOptions } from '../watched-budgets.ts'
import { canCount, countOwnRecords, countSpend } from './budget-count.ts'
import type { CountOptions } from '../budget-sums.ts'
import { createBudgetRows } from './budget-rows.ts'
import type { BudgetRows } from './budget-rows.ts'
import { createOutboxWriter } from './outbox.ts'

export interface BudgetCounter {
  watch(budgets: readonly Budget[], options: WatchOptions): void
  recount(nowMs: number): void
  /** Call it in the transaction before storing a record. Null where no budget is watched. */
  begin(records: readonly UsageRecord[]): OpenCount | null
}

export interface OpenCount {
  /** To be called for every record that is new to the store, in order. */
  add(record: UsageRecord): void
  write(): void
}

interface OpenOptions extends CountOptions {
  readonly isInDoubt?: (budget: Budget, stored: SpendFigures) => boolean
}

export function createBudgetCounter(
  file: SqliteFile,
  countRecords = countOwnRecords,
): BudgetCounter {
  const rows = createBudgetRows(file)
  const addAlert = createOutboxWriter(file)
  const readCostRevision = prepareCostRevision(file)
  let watched = NO_BUDGETS
  // Null at the start, when all rows are trusted. Later, a row for a budget not in here may have
  // been started by another process and lacks what this one added.
  let known: ReadonlySet<string> | null = null

  /** Counts budgets that have no row, and those whose row `isInDoubt`, where possible. */
  function open(budgets: readonly Budget[], options: OpenOptions): Page {
    const { span, slugOf, isInDoubt = () => false } = options
    const stored = rows.read(budgets, span)
    const isWanted = (budget: Budget): boolean => {
      const figures = stored.get(budget.id)
      return figures === undefined || (isInDoubt(budget, figures) && canCount(file, budget, span))
    }
    const counted = countSpend(file, budgets.filter(isWanted), { span, slugOf, countRecords })
    return createPage(budgets, { span, stored, counted })
  }

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
      const page = open(budgets, { span: spanOf(period, nowMs), slugOf, isInDoubt })
      for (const tally of page.tallies.values()) listReached(page, tally, nowMs).forEach(addAlert)
      writePage(rows, page)
    }
  }

  /** Opens every page before a record is stored: no recount halfway. */
  function openPages(records: readonly UsageRecord[]): ReadonlyMap<BudgetPeriod, readonly Page[]> {
    const pages = new Map<BudgetPeriod, Page[]>()
    for (const { period, budgets, span, atMs } of listWantedPages(watched, records)) {
      const page = open(budgets, { span, slugOf: watched.slugOf })
      for (const tally of listChanged(page)) listReached(page, tally, atMs).forEach(addAlert)
      pages.set(period, [...(pages.get(period) ?? []), page])
    }
    return pages
  }

  return {
    watch(budgets, { slugOf, nowMs }) {
      const next = toWatched(budgets, { slugOf, nowMs })
      file.transact(() => {
        rows.retain(budgets, nowMs - SPEND_KEPT_MS)
        judgePeriods(next, nowMs, (budget) => known?.has(nameOf(budget)) === false)
      })
      watched = next
      known = new Set(budgets.map(nameOf))
    },
    recount(nowMs) {
      if (watched.byPeriod.size > 0) file.transact(() => judgePeriods(watched, nowMs, () => false))
    },
    begin(records) {
      if (watched.byPeriod.size === 0) return null
      const pages = openPages(records)
      const count = createBatchCount(watched, pages)
      return {
        add: (record) => count.add(record),
        write() {
          count.alerts.forEach(addAlert)
          for (const page of [...pages.values()].flat()) writePage(rows, page)
        },
      }
    },
  }
}

function writePage(rows: BudgetRows, page: Page): void {
  for (const { budget, figures } of listChanged(page)) rows.write(budget, page.span, figures)
}
