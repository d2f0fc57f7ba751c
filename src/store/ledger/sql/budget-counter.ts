// Counts what the watched budgets spend, inside the transaction that stores the calls, whichever
// node stores them. Must stay true: figures are read under the store's lock and written before it
// is given back, so a threshold fires once over all nodes, at the very call.

import { spanOf } from '../../../core/budget.ts'
import type { Budget, BudgetPeriod } from '../../../core/budget.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { ruleIdOf } from '../../../core/budgets/each-budget.ts'
import { settleAll } from '../../sql/settle-all.ts'
import { ofEpoch } from '../../sql/sql.ts'
import type { Change, Sql, SqlDatabase } from '../../sql/sql.ts'
import { createPeriodCounters } from '../period-counters.ts'
import type { PeriodCounters } from '../period-counters.ts'
import {
  createBatchCount,
  listWantedPages,
  nameOf,
  NO_BUDGETS,
  SPEND_KEPT_MS,
  toWatched,
} from '../watched-budgets.ts'
import type { WantedPage, Watched, WatchOptions } from '../watched-budgets.ts'
import { createSpendFigures } from '../spend-figures.ts'
import type { CountSource } from './budget-count.ts'
import { readBatches, recount } from './budget-recount.ts'
import { pruneSpendRows, readSpendRows, toSpendWrites } from './budget-rows.ts'
import { toAdditions } from './outbox.ts'
import { createOwnChanges } from './own-changes.ts'
import type { OwnChanges } from './own-changes.ts'

export interface OpenCount {
  /** To be called for every record that is new to the store, in order. */
  add(record: UsageRecord): void
  /** What is to be run before the lock is given back. */
  finish(): readonly Change[]
}

export interface BudgetCounter {
  watch(budgets: readonly Budget[], options: WatchOptions): Promise<void>
  recount(nowMs: number): Promise<void>
  /** In the transaction that stores the records, under the lock. */
  begin(sql: Sql, records: readonly UsageRecord[]): Promise<OpenCount>
  /** What was begun last is stored. */
  committed(): void
  /** True where a batch failed for budgets that had no count yet: they have one now. */
  recover(error: unknown, records: readonly UsageRecord[]): Promise<boolean>
  readonly changes: Pick<OwnChanges, 'list'>
}

/** The records are in the table already when a batch finds it: they would be counted twice. */
class UncountedBudgets extends Error {}

export function createBudgetCounter(database: SqlDatabase, place: CountSource): BudgetCounter {
  const { dialect } = place
  let watched = NO_BUDGETS
  // A row of a budget that is not in here may have been started by another process while this one
  // stored calls without counting it. At the start it is not known what other nodes did before,
  // hence none; the rows of a store with one node are trusted then.
  let known: ReadonlySet<string> | null = dialect.isShared ? new Set() : null
  const changes = ofEpoch(database.epoch, createOwnChanges)
  let begun: (() => void) | null = null

  /** Limits and thresholds may have changed, so all are checked. */
  function judge(
    { byPeriod, slugOf }: Watched,
    { nowMs, isNew }: { nowMs: number; isNew: (budget: Budget) => boolean },
  ): Promise<void> {
    changes().forget()
    const pages = Array.from(byPeriod, ([period, budgets]) => {
      return { budgets, span: spanOf(period, nowMs), atMs: nowMs }
    })
    return recount(database, pages, { ...place, slugOf, isNew, isThorough: true })
  }

  return {
    async watch(budgets, { slugOf, nowMs }) {
      const next = toWatched(budgets, { slugOf, nowMs })
      const isNew = (budget: Budget): boolean => known?.has(nameOf(budget)) === false
      // Of several nodes, one that knows all budgets does it.
      if (!dialect.isShared) {
        const kept = { budgets, sinceMs: nowMs - SPEND_KEPT_MS }
        await database.transact((sql) => pruneSpendRows(sql, kept, dialect))
      }
      if (budgets.length > 0) await judge(next, { nowMs, isNew })
      watched = next
      known = new Set(budgets.map(nameOf))
    },
    async recount(nowMs) {
      if (watched.byPeriod.size === 0) return
      await judge(watched, { nowMs, isNew: () => false })
    },
    async begin(sql, added) {
      begun = null
      if (watched.byPeriod.size === 0 || added.length === 0) return NOTHING
      const wanted = listWantedPages(watched, added)
      const asked = wanted.map(({ budgets, counters, span }) => {
        return { span, budgets: [...budgets, ...counters] }
      })
      const [readRows, batches] = await settleAll([
        readSpendRows(sql, asked, dialect),
        watched.rules === null ? Promise.resolve(0) : readBatches(sql),
      ])
      const pages = toPages(wanted, readRows)
      const count = createBatchCount(watched, pages)
      const all = [...pages.values()].flat()
      if (watched.rules !== null) begun = () => changes().add(batches + 1, all)
      return {
        add: (record) => count.add(record),
        finish: () => [...toAdditions(count.alerts), ...toSpendWrites(all, batches + 1)],
      }
    },
    committed() {
      begun?.()
      begun = null
    },
    async recover(error, added) {
      if (!(error instanceof UncountedBudgets)) return false
      changes().forget()
      const { slugOf } = watched
      const options = { ...place, slugOf, isNew: () => false, isThorough: false }
      await recount(database, listWantedPages(watched, added), options)
      return true
    },
    changes: { list: (...range) => changes().list(...range) },
  }
}

type ReadRows = Awaited<ReturnType<typeof readSpendRows>>

function toPages(
  wanted: readonly WantedPage[],
  readRows: ReadRows,
): ReadonlyMap<BudgetPeriod, readonly PeriodCounters[]> {
  const pages = new Map<BudgetPeriod, PeriodCounters[]>()
  for (const { period, budgets, counters, span } of wanted) {
    const stored = new Map(readRows([...budgets, ...counters], span))
    if (budgets.some(({ id }) => !stored.has(id))) throw new UncountedBudgets()
    // Where a rule has been counted, a counter without a row has spent nothing.
    const known = counters.filter(({ id }) => stored.has(ruleIdOf(id)))
    for (const { id } of known) {
      const { costRevision = '' } = stored.get(ruleIdOf(id)) ?? {}
      if (!stored.has(id)) stored.set(id, { ...createSpendFigures(costRevision), countedAt: 0 })
    }
    const page = createPeriodCounters([...budgets, ...known], { span, stored, counted: new Map() })
    pages.set(period, [...(pages.get(period) ?? []), page])
  }
  return pages
}

const NOTHING: OpenCount = { add: () => {}, finish: () => [] }
