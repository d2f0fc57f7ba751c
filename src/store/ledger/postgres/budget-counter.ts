// Counts what the watched budgets spend, inside the transaction that stores the calls, whichever
// node stores them. Must stay true: figures are read under the store's lock and written before it
// is given back, so a threshold fires once over all nodes, at the very call.

import type { Alert } from '../../../core/alert.ts'
import { spanOf } from '../../../core/budget.ts'
import type { Budget, BudgetPeriod } from '../../../core/budget.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import type { Sql, SqlDatabase, Statement } from '../../sql/sql.ts'
import { readCostRevision } from '../../usage/postgres/cost-revision.ts'
import type { RecordReader } from '../../usage/record-reader.ts'
import { createPage, listReached } from '../budget-page.ts'
import type { Page } from '../budget-page.ts'
import type { CountOptions } from '../budget-sums.ts'
import type { SpendFigures } from '../spend-figures.ts'
import {
  createBatchCount,
  listWantedPages,
  nameOf,
  NO_BUDGETS,
  toWatched,
} from '../watched-budgets.ts'
import type { WantedPage, Watched, WatchOptions } from '../watched-budgets.ts'
import { canCount, countSpend } from './budget-count.ts'
import { readSpendRows, toSpendWrites } from './budget-rows.ts'
import { addAlerts, toAdditions } from './outbox.ts'

export interface OpenCount {
  /** To be called for every record that is new to the store, in order. */
  add(record: UsageRecord): void
  /** What is to be run before the lock is given back. */
  finish(): readonly Statement[]
}

export interface PostgresBudgetCounter {
  watch(budgets: readonly Budget[], options: WatchOptions): Promise<void>
  recount(nowMs: number): Promise<void>
  /** In the transaction that stores the records, under the lock. */
  begin(sql: Sql, records: readonly UsageRecord[]): Promise<OpenCount>
  /** True where a batch failed for budgets that had no count yet: they have one now. */
  recover(error: unknown, records: readonly UsageRecord[]): Promise<boolean>
}

/** The records are in the table already when a batch finds it: they would be counted twice. */
class UncountedBudgets extends Error {}

interface OpenOptions extends CountOptions {
  readonly records: RecordReader
  readonly isInDoubt?: (budget: Budget, stored: SpendFigures) => boolean
}

export function createPostgresBudgetCounter(
  database: SqlDatabase,
  records: RecordReader,
): PostgresBudgetCounter {
  let watched = NO_BUDGETS
  // A row of a budget that is not in here may have been started by another node while this one
  // stored calls without counting it. At the start it is not known what was before, hence none.
  let known: ReadonlySet<string> = new Set()

  /** Limits and thresholds may have changed, so all are checked. */
  async function judgePeriods(
    sql: Sql,
    { byPeriod, slugOf }: Watched,
    { nowMs, isNew }: { nowMs: number; isNew: (budget: Budget) => boolean },
  ): Promise<void> {
    const costRevision = await readCostRevision(sql)
    const isInDoubt: OpenOptions['isInDoubt'] = (budget, stored) =>
      stored.costRevision !== costRevision || isNew(budget)
    for (const [period, budgets] of byPeriod) {
      const options = { span: spanOf(period, nowMs), slugOf, isInDoubt, records }
      const page = await openPage(sql, budgets, options)
      const alerts = [...page.tallies.values()].flatMap((tally) => listReached(page, tally, nowMs))
      await writePage(sql, page, alerts)
    }
  }

  async function countMissing(sql: Sql, wanted: readonly WantedPage[]): Promise<void> {
    for (const { budgets, span, atMs } of wanted) {
      const page = await openPage(sql, budgets, { span, slugOf: watched.slugOf, records })
      const fresh = [...page.tallies.values()].filter(({ isChanged }) => isChanged)
      const alerts = fresh.flatMap((tally) => listReached(page, tally, atMs))
      await writePage(sql, page, alerts)
    }
  }

  return {
    async watch(budgets, { slugOf, nowMs }) {
      const next = toWatched(budgets, { slugOf, nowMs })
      const isNew = (budget: Budget): boolean => !known.has(nameOf(budget))
      if (budgets.length > 0) {
        await database.transact((sql) => judgePeriods(sql, next, { nowMs, isNew }))
      }
      watched = next
      known = new Set(budgets.map(nameOf))
    },
    async recount(nowMs) {
      if (watched.byPeriod.size === 0) return
      await database.transact((sql) => judgePeriods(sql, watched, { nowMs, isNew: () => false }))
    },
    async begin(sql, added) {
      if (watched.byPeriod.size === 0 || added.length === 0) return NOTHING
      const wanted = listWantedPages(watched, added)
      const readRows = await readSpendRows(
        sql,
        wanted.map(({ span }) => span),
      )
      const pages = new Map<BudgetPeriod, Page[]>()
      for (const { period, budgets, span } of wanted) {
        const stored = readRows(budgets, span)
        if (stored.size < budgets.length) throw new UncountedBudgets()
        const page = createPage(budgets, { span, stored, counted: new Map() })
        pages.set(period, [...(pages.get(period) ?? []), page])
      }
      const count = createBatchCount(watched, pages)
      return {
        add: (record) => count.add(record),
        finish: () => [...toAdditions(count.alerts), ...toSpendWrites([...pages.values()].flat())],
      }
    },
    async recover(error, added) {
      if (!(error instanceof UncountedBudgets)) return false
      await database.transact((sql) => countMissing(sql, listWantedPages(watched, added)))
      return true
    },
  }
}

const NOTHING: OpenCount = { add: () => {}, finish: () => [] }

/** Counts budgets that have no row, and those whose row `isInDoubt`, where possible. */
async function openPage(
  sql: Sql,
  budgets: readonly Budget[],
  { span, slugOf, records, isInDoubt = () => false }: OpenOptions,
): Promise<Page> {
  const stored = (await readSpendRows(sql, [span]))(budgets, span)
  const wanted: Budget[] = []
  for (const budget of budgets) {
    const figures = stored.get(budget.id)
    const isWanted =
      figures === undefined || (isInDoubt(budget, figures) && (await canCount(sql, budget, span)))
    if (isWanted) wanted.push(budget)
  }
  return createPage(budgets, {
    span,
    stored,
    counted: await countSpend(sql, wanted, { span, slugOf, records }),
  })
}

async function writePage(sql: Sql, page: Page, alerts: readonly Alert[]): Promise<void> {
  await addAlerts(sql, alerts)
  for (const { text, values } of toSpendWrites([page])) await sql.run(text, values)
}
