// Counts budgets anew. Records may be many, so they are counted at an earlier moment, while every
// node stores calls. Under the store's lock, what batches have added to the budget's row since is
// added to the count.
//
// Must stay true: a call is in the count or was added to the row since, and never both. So the row
// must be the same count as at that moment, which its `counted_at` tells; where there was none,
// there must be none yet, since a node that counts a budget stores nothing without its row.

import type { Alert } from '../../../core/alert.ts'
import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { SlugOf } from '../../../core/budget-index.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { readCostRevision } from '../../usage/sql/cost-revision.ts'
import { areRecordsWhole } from '../../usage/sql/scope.ts'
import { createPeriodCounters, listReached } from '../period-counters.ts'
import { isCountedFromRecords } from '../budget-sums.ts'
import type { Counted } from '../budget-sums.ts'
import { addSum, subtractFigures } from '../spend-figures.ts'
import type { SpendFigures } from '../spend-figures.ts'
import { countSpend } from './budget-count.ts'
import type { CountSource } from './budget-count.ts'
import { readSpendRows, toCountWrites } from './budget-rows.ts'
import type { StoredFigures } from './budget-rows.ts'
import { addAlerts } from './outbox.ts'

/** Each is for a count of another node in between; more in a row are a sign of something else. */
const ATTEMPTS_MAX = 8

export interface PageToCount {
  readonly budgets: readonly Budget[]
  readonly span: BudgetSpan
  /** When thresholds that are found to be reached were reached. */
  readonly atMs: number
}

export interface RecountOptions extends CountSource {
  readonly slugOf: SlugOf
  /** Budgets that this process has not counted with its calls so far. */
  readonly isNew: (budget: Budget) => boolean
  /**
   * All thresholds are checked, and rows counted again that are not of the present costs, or new to
   * this process. Else only budgets without a row are looked at.
   */
  readonly isThorough: boolean
}

/** Budgets without a row are counted. No batch may be written by this process meanwhile. */
export async function recount(
  database: SqlDatabase,
  pages: readonly PageToCount[],
  options: RecountOptions,
): Promise<void> {
  const hasRecords = pages.some(({ budgets }) => budgets.some(isCountedFromRecords))
  let sinceBatch: number | null = null
  for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
    const moment = hasRecords
      ? await database.readSnapshot(async (sql) => {
          const batches = await readBatches(sql)
          // Counts of other nodes that are later than this have all calls of this one.
          sinceBatch ??= batches
          return countPages(sql, pages, { ...options, batches, sinceBatch })
        })
      : NOTHING
    const asked = { ...options, moment, sinceBatch }
    if (await database.transact((sql) => writePages(sql, pages, asked))) return
  }
  throw new StoreBusy('Other nodes counted the same budgets at the same time, again and again.')
}

/** The pages' counts from the records, by place, and the rows of that moment. */
interface EarlyCounts {
  readonly batches: number | null
  readonly pages: readonly EarlyCount[]
}

interface EarlyCount {
  readonly counted: Counted
  readonly rows: ReadonlyMap<string, StoredFigures>
}

const NOTHING: EarlyCounts = { batches: null, pages: [] }

interface DoubtOptions extends RecountOptions {
  readonly sinceBatch: number | null
}

async function countPages(
  sql: Sql,
  pages: readonly PageToCount[],
  options: DoubtOptions & { readonly batches: number },
): Promise<EarlyCounts> {
  const isInDoubt = await createDoubt(sql, options)
  const counts: EarlyCount[] = []
  for (const { budgets, span } of pages) {
    const rows = (await readSpendRows(sql, [span], options.dialect))(budgets, span)
    const isWhole = await areRecordsWhole(sql, span)
    const wanted = budgets.filter(isCountedFromRecords).filter((budget) => {
      const row = rows.get(budget.id)
      return row === undefined || (isWhole && isInDoubt(budget, row))
    })
    counts.push({ rows, counted: await countSpend(sql, wanted, { ...options, span }) })
  }
  return { batches: options.batches, pages: counts }
}

/** False where a count is out of date: nothing is written then. */
async function writePages(
  sql: Sql,
  pages: readonly PageToCount[],
  options: DoubtOptions & { readonly moment: EarlyCounts },
): Promise<boolean> {
  const { moment, isThorough } = options
  const isInDoubt = await createDoubt(sql, options)
  const written = []
  for (const [place, { budgets, span, atMs }] of pages.entries()) {
    const stored = (await readSpendRows(sql, [span], options.dialect))(budgets, span)
    // Retention may have removed some of the records that were counted.
    const isWhole = await areRecordsWhole(sql, span)
    const counted = new Map<string, SpendFigures>()
    const fromSums: Budget[] = []
    for (const budget of budgets) {
      const row = stored.get(budget.id)
      if (row !== undefined && !isInDoubt(budget, row)) continue
      if (!isCountedFromRecords(budget)) {
        fromSums.push(budget)
        continue
      }
      if (row !== undefined && !isWhole) continue
      const figures = bringUpToDate(budget, row, moment.pages[place])
      if (figures === null) return false
      counted.set(budget.id, figures)
    }
    for (const [id, figures] of await countSpend(sql, fromSums, { ...options, span })) {
      counted.set(id, figures)
    }
    written.push({ page: createPeriodCounters(budgets, { span, stored, counted }), atMs })
  }
  for (const { page, atMs } of written) {
    const tallies = [...page.tallies.values()].filter(({ isChanged }) => isThorough || isChanged)
    const alerts: Alert[] = tallies.flatMap((tally) => listReached(page, tally, atMs))
    await addAlerts(sql, alerts)
    const writes = toCountWrites(page, moment.batches)
    for (const { text, values } of writes) await sql.run(text, values)
  }
  return true
}

type IsInDoubt = (budget: Budget, row: StoredFigures) => boolean

async function createDoubt(
  sql: Sql,
  { isNew, isThorough, sinceBatch }: DoubtOptions,
): Promise<IsInDoubt> {
  if (!isThorough) return () => false
  const costRevision = await readCostRevision(sql)
  const isRecent = ({ countedAt }: StoredFigures): boolean =>
    countedAt !== null && sinceBatch !== null && countedAt > sinceBatch
  return (budget, row) => row.costRevision !== costRevision || (isNew(budget) && !isRecent(row))
}

/** Null where it cannot be told which calls are in it. */
function bringUpToDate(
  { id }: Budget,
  row: StoredFigures | undefined,
  early: EarlyCount | undefined,
): SpendFigures | null {
  const counted = early?.counted.get(id)
  if (counted === undefined) return null
  const before = early?.rows.get(id)
  if (before === undefined || row === undefined) return before === row ? counted : null
  const isSame = before.countedAt === row.countedAt && before.costRevision === row.costRevision
  if (!isSame) return null
  addSum(counted, subtractFigures(row, before))
  return counted
}

async function readBatches(sql: Sql): Promise<number> {
  const row = await sql.first<{ batches: number }>('SELECT batches FROM usage_state')
  return row?.batches ?? 0
}
