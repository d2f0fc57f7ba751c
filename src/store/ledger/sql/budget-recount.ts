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
import { isRule, memberIdOf, ruleIdOf, toCounter } from '../../../core/budgets/each-budget.ts'
import { runChange } from '../../sql/sql.ts'
import type { Sql, SqlDatabase, Statement } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { readCostRevision } from '../../usage/sql/cost-revision.ts'
import { areRecordsWhole } from '../../usage/sql/scope.ts'
import { createPeriodCounters, listReached } from '../period-counters.ts'
import { isCountedFromRecords } from '../budget-sums.ts'
import type { Counted } from '../budget-sums.ts'
import { addSum, createSpendFigures, subtractFigures } from '../spend-figures.ts'
import type { SpendFigures } from '../spend-figures.ts'
import { countSpend } from './budget-count.ts'
import type { CountSource } from './budget-count.ts'
import { readCounterRows, readSpendRows, toCounterRemoval, toCountWrites } from './budget-rows.ts'
import type { StoredById, StoredFigures } from './budget-rows.ts'
import { addAlerts, withoutKnown } from './outbox.ts'

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
  readonly rows: StoredById
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
    const own = await readRows(sql, { budgets, span }, options)
    const isWhole = await areRecordsWhole(sql, span)
    const wanted = budgets.filter(isCountedFromRecords).filter((budget) => {
      const row = own.get(budget.id)
      return row === undefined || (isWhole && isInDoubt(budget, row))
    })
    const rows = await withCounters(sql, own, { rules: wanted.filter(isRule), span })
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
  const removals: Statement[] = []
  for (const [place, { budgets, span, atMs }] of pages.entries()) {
    const own = await readRows(sql, { budgets, span }, options)
    const rules = budgets.filter(isRule).filter(({ id }) => isThorough || !own.has(id))
    const stored = new Map(await withCounters(sql, own, { rules, span }))
    // Retention may have removed some of the records that were counted.
    const isWhole = await areRecordsWhole(sql, span)
    const counted = new Map<string, SpendFigures>()
    const early = moment.pages[place]
    const namesOf = byRule([...stored.keys(), ...(early?.counted.keys() ?? [])])
    const fromSums: Budget[] = []
    for (const budget of budgets) {
      const row = stored.get(budget.id)
      if (row !== undefined && !isInDoubt(budget, row)) continue
      if (!isCountedFromRecords(budget)) {
        fromSums.push(budget)
        continue
      }
      if (row !== undefined && !isWhole) continue
      for (const id of namesOf.get(budget.id) ?? [budget.id]) {
        const figures = bringUpToDate(id, stored, early)
        if (figures === null) return false
        // Only members with spend have a row.
        const isNone = id !== budget.id && figures.spent === 0n && figures.unpriced === 0
        if (isNone) stored.delete(id)
        else counted.set(id, figures)
      }
      if (isRule(budget)) removals.push(toCounterRemoval(budget, span))
    }
    for (const [id, figures] of await countSpend(sql, fromSums, { ...options, span })) {
      counted.set(id, figures)
    }
    const known = new Map(rules.map((rule) => [rule.id, rule]))
    const counters = [...new Set([...stored.keys(), ...counted.keys()])].flatMap((id) => {
      const [rule, member] = [known.get(ruleIdOf(id)), memberIdOf(id)]
      return rule === undefined || member === null ? [] : [toCounter(rule, member)]
    })
    const all = [...budgets, ...counters]
    written.push({ page: createPeriodCounters(all, { span, stored, counted }), atMs })
  }
  for (const removal of removals) await runChange(sql, removal)
  // As the next one: whoever read counters since the last batch is to read these as well.
  const batches = (await readBatches(sql)) + 1
  for (const { page, atMs } of written) {
    const tallies = [...page.tallies.values()].filter(({ isChanged }) => isThorough || isChanged)
    const alerts: Alert[] = tallies.flatMap((tally) => listReached(page, tally, atMs))
    await addAlerts(sql, await withoutKnown(sql, alerts, options.dialect))
    const writes = toCountWrites(page, { countedAt: moment.batches, batches })
    for (const write of writes) await runChange(sql, write)
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

/** Null where it cannot be told which calls are in it. A counter is as old as its rule. */
function bringUpToDate(
  id: string,
  stored: StoredById,
  early: EarlyCount | undefined,
): SpendFigures | null {
  const rule = early?.counted.get(ruleIdOf(id))
  if (early === undefined || rule === undefined) return null
  const [before, row] = [early.rows.get(ruleIdOf(id)), stored.get(ruleIdOf(id))]
  const counted = early.counted.get(id) ?? createSpendFigures(rule.costRevision)
  if (before === undefined || row === undefined) return before === row ? counted : null
  const isSame = before.countedAt === row.countedAt && before.costRevision === row.costRevision
  if (!isSame) return null
  const [then, now] = [early.rows.get(id), stored.get(id)]
  if (now !== undefined) addSum(counted, then === undefined ? now : subtractFigures(now, then))
  return counted
}

type Names = ReadonlyMap<string, ReadonlySet<string>>

/** The ids of each rule and its counters. */
function byRule(ids: readonly string[]): Names {
  const groups = Map.groupBy(ids, ruleIdOf)
  return new Map(Array.from(groups, ([ruleId, group]) => [ruleId, new Set([ruleId, ...group])]))
}

type CountedPage = Pick<PageToCount, 'budgets' | 'span'>

async function readRows(
  sql: Sql,
  page: CountedPage,
  { dialect }: CountSource,
): Promise<StoredById> {
  return (await readSpendRows(sql, [page], dialect))(page.budgets, page.span)
}

async function withCounters(
  sql: Sql,
  own: StoredById,
  { rules, span }: { readonly rules: readonly Budget[]; readonly span: BudgetSpan },
): Promise<StoredById> {
  const counters = await readCounterRows(sql, rules, { span })
  return new Map([
    ...own,
    ...counters.map(({ counter, figures }) => [counter.id, figures] as const),
  ])
}

export async function readBatches(sql: Sql): Promise<number> {
  const row = await sql.first<{ batches: number }>('SELECT batches FROM usage_state')
  return row?.batches ?? 0
}
