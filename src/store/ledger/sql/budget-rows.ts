// The rows of what budgets spent. They are changed under the store's lock only.

import { amountAt } from '../../../core/budget.ts'
import type { Money } from '../../../core/money.ts'
import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import {
  BUDGET_ID_CHARS,
  counterIdsOf,
  isRule,
  memberIdOf,
  toCounter,
} from '../../../core/budgets/each-budget.ts'
import type { BulkTable, Change, Sql, Statement } from '../../sql/sql.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import { listChanged } from '../period-counters.ts'
import type { PeriodCounters, Tally } from '../period-counters.ts'
import { COUNT_COLUMNS, fromSpendRow, SPEND_COLUMNS, toSpendValues } from '../spend-figures.ts'
import type { SpendFigures, SpendRow } from '../spend-figures.ts'

export interface StoredFigures extends SpendFigures {
  /**
   * How many batches there were when it was last counted; null where that is not known. Of a
   * counter: when it last changed. It was counted with its rule.
   */
  readonly countedAt: number | null
}

interface StoredRow extends SpendRow {
  readonly period_start: number
  readonly counted_at: number | null
}

export type StoredById = ReadonlyMap<string, StoredFigures>

interface SpendPage {
  readonly budgets: readonly Budget[]
  readonly span: BudgetSpan
}

/** Of all pages in one reading. */
export async function readSpendRows(
  sql: Sql,
  pages: readonly SpendPage[],
  dialect: Pick<Dialect, 'isAmong' | 'isOneOf'>,
): Promise<(budgets: readonly Budget[], span: BudgetSpan) => StoredById> {
  const starts = [...new Set(pages.map(({ span }) => span.startMs))]
  const ids = new Set(pages.flatMap(({ budgets }) => budgets.map(({ id }) => id)))
  const isWanted = dialect.isAmong('period_start', starts)
  const isOneOf = dialect.isOneOf('budget', [...ids])
  const text = `SELECT * FROM budget_spend WHERE ${isWanted.sql} AND ${isOneOf.sql}`
  const rows = await sql.all<StoredRow>(text, [...isWanted.parameters, ...isOneOf.parameters])
  const byStart = Map.groupBy(rows, (row) => row.period_start)
  return (budgets, { startMs }) => toStored(byStart.get(startMs) ?? [], budgets)
}

function toStored(rows: readonly StoredRow[], budgets: readonly Budget[]): StoredById {
  const byId = new Map(rows.map((row) => [row.budget, row]))
  const found = new Map<string, StoredFigures>()
  for (const budget of budgets) {
    const row = byId.get(budget.id)
    const figures = row === undefined ? null : fromSpendRow(row, budget)
    if (figures === null) continue
    found.set(budget.id, Object.assign(figures, { countedAt: row?.counted_at ?? null }))
  }
  return found
}

export interface StoredCounter {
  readonly counter: Budget
  readonly figures: StoredFigures
}

/** Of each rule all, or those that changed since a number of batches. */
export async function readCounterRows(
  sql: Sql,
  rules: readonly Budget[],
  { span, since = null, percentMin, rowsMax = -1 }: CounterRange,
): Promise<readonly StoredCounter[]> {
  const found: StoredCounter[] = []
  for (const rule of rules) {
    const values = [span.startMs, ...counterIdsOf(rule.id)]
    const readMost = (most: number) =>
      sql.all<StoredRow>(`${COUNTERS} ${MOST_FIRST} LIMIT ?`, [...values, most])
    const rows: StoredRow[] = []
    if (since !== null) {
      rows.push(...(await sql.all<StoredRow>(`${COUNTERS} AND counted_at > ?`, [...values, since])))
    } else if (percentMin !== undefined) {
      const least = String(amountAt(leastLimit(rule), percentMin))
      const some = `${COUNTERS} AND (length(spent) > ? OR unpriced > 0 OR length(spent) = ? AND spent >= ?)`
      const used = [...values, least.length, least.length, least]
      const near = await sql.all<StoredRow>(some, used)
      const most = await readMost(1)
      rows.push(...near, ...most.filter((one) => near.every(({ budget }) => budget !== one.budget)))
    } else {
      rows.push(...(await (rowsMax < 0 ? sql.all<StoredRow>(COUNTERS, values) : readMost(rowsMax))))
    }
    for (const row of rows) {
      const counter = toCounter(rule, memberIdOf(row.budget) ?? '')
      const figures = fromSpendRow(row, counter)
      if (figures === null) continue
      found.push({ counter, figures: { ...figures, countedAt: row.counted_at } })
    }
  }
  return found
}

/** Some may have a limit of their own. */
function leastLimit({ limit, ownLimits = {} }: Budget): Money {
  const own = Object.values(ownLimits).map(BigInt)
  return own.reduce((least, each) => (each < least ? each : least), limit)
}

const OF_RULE = 'FROM budget_spend WHERE period_start = ? AND budget > ? AND budget < ?'
const COUNTERS = `SELECT * ${OF_RULE}`
const MOST_FIRST = 'ORDER BY length(spent) DESC, spent DESC'

/** How many members of the rule have spent something. */
export async function countMembers(
  sql: Sql,
  { id }: Budget,
  { startMs }: BudgetSpan,
): Promise<number> {
  const values = [startMs, ...counterIdsOf(id)]
  const row = await sql.first<{ members: number }>(`SELECT COUNT(*) AS members ${OF_RULE}`, values)
  return row?.members ?? 0
}

interface CounterRange {
  readonly span: BudgetSpan
  readonly since?: number | null
  readonly percentMin?: number | undefined
  /** Those with the most spend. */
  readonly rowsMax?: number
}

/** What was counted for a rule before is not counted again. */
export function toCounterRemoval({ id }: Budget, { startMs }: BudgetSpan): Statement {
  const text = `DELETE ${OF_RULE}`
  return { text, values: [startMs, ...counterIdsOf(id)] }
}

function toPut(columns: readonly string[]): string {
  return `INSERT INTO budget_spend (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (period_start, budget) DO UPDATE SET ${toChanges(columns)}`
}

function toChanges(columns: readonly string[]): string {
  const changed = columns.slice(2).map((column) => `${column} = excluded.${column}`)
  return changed.join(', ')
}

/** A batch adds to what was counted, and does not change when that was. */
const PUT = toPut(SPEND_COLUMNS)
const ALL_COLUMNS = [...SPEND_COLUMNS, 'counted_at']
const PUT_COUNTED = toPut(ALL_COLUMNS)
const CHANGES = toChanges(ALL_COLUMNS)

/** A batch may change thousands of counters. */
const COUNTER_ROWS: BulkTable = {
  name: 'budget_spend',
  key: { period_start: 'bigint', budget: 'text' },
  others: Object.fromEntries(
    ALL_COLUMNS.slice(2).map((column) => [column, COUNT_COLUMNS.has(column) ? 'bigint' : 'text']),
  ),
}

/** `batches` is the number of this one. */
export function toSpendWrites(
  pages: readonly PeriodCounters[],
  batches: number,
): readonly Change[] {
  return pages.flatMap((page) => [
    ...listOwn(page).map(({ budget, figures }) => {
      return { text: PUT, values: toSpendValues(budget, page.span, figures) }
    }),
    ...toCounterWrites(page, batches),
  ])
}

export interface CountMoment {
  /** How many batches there were when it was counted again, and how many there are. */
  readonly countedAt: number | null
  readonly batches: number
}

export function toCountWrites(
  page: PeriodCounters,
  { countedAt, batches }: CountMoment,
): readonly Change[] {
  return [
    ...listOwn(page).map(({ budget, figures }) => {
      const values = [...toSpendValues(budget, page.span, figures), countedAt]
      return { text: PUT_COUNTED, values }
    }),
    ...toCounterWrites(page, batches),
  ]
}

function listOwn(page: PeriodCounters): readonly Tally[] {
  return listChanged(page).filter(({ budget }) => budget.member === undefined)
}

function toCounterWrites(page: PeriodCounters, batches: number): readonly Change[] {
  const counters = listChanged(page).filter(({ budget }) => budget.member !== undefined)
  if (counters.length === 0) return []
  const rows = counters.map(({ budget, figures }) => {
    return [...toSpendValues(budget, page.span, figures), batches]
  })
  return [
    { into: COUNTER_ROWS, rows, onConflict: `(period_start, budget) DO UPDATE SET ${CHANGES}` },
  ]
}

/** Rows of earlier periods, and of budgets that no longer exist. */
export function pruneSpendRows(
  sql: Sql,
  { budgets, sinceMs }: { readonly budgets: readonly Budget[]; readonly sinceMs: number },
  dialect: Pick<Dialect, 'isOneOf'>,
): Promise<number> {
  const isKept = dialect.isOneOf(
    'budget',
    budgets.map(({ id }) => id),
  )
  const isOfRule = dialect.isOneOf(
    `substr(budget, 1, ${BUDGET_ID_CHARS})`,
    budgets.filter(isRule).map(({ id }) => id),
  )
  const text = `DELETE FROM budget_spend
    WHERE period_start < ? OR NOT (${isKept.sql} OR ${isOfRule.sql})`
  return sql.run(text, [sinceMs, ...isKept.parameters, ...isOfRule.parameters])
}
