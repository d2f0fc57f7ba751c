// What budgets spent in a period: from the rollups where they have it, which is exact and fast,
// else from the records in one pass. Must stay true: it equals counting every call as it ends.

import type { SQLInputValue } from 'node:sqlite'
import type { Budget, BudgetScope, BudgetSpan } from '../../../core/budget.ts'
import { createBudgetIndex } from '../../../core/budget-index.ts'
import type { SlugOf } from '../../../core/budget-index.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { addCall, createSpendFigures } from '../spend-figures.ts'
import type { SpendFigures } from '../spend-figures.ts'
import { prepareCostRevision } from '../../usage/sqlite/cost-changes.ts'
import { toPeriodNumber } from '../../usage/sql/periods.ts'
import { fromDollars } from '../../usage/sql/figure-columns.ts'
import { listDays } from '../../usage/sql/span-record.ts'
import type { SpanRecord } from '../../usage/sql/span-record.ts'
import { areRecordsWhole, readSpanRecords } from '../../usage/sqlite/span-records.ts'

export type Counted = ReadonlyMap<string, SpendFigures>

export interface CountOptions {
  readonly span: BudgetSpan
  readonly slugOf: SlugOf
}

/** The budgets must all be of the span's kind of period. */
export function countSpend(
  file: SqliteFile,
  budgets: readonly Budget[],
  { span, slugOf }: CountOptions,
): Counted {
  if (budgets.length === 0) return new Map()
  const costRevision = prepareCostRevision(file)()
  const counted = new Map(budgets.map(({ id }) => [id, createSpendFigures(costRevision)]))
  const fromRecords = budgets.filter(isCountedFromRecords)
  const fromRollups = budgets.filter((budget) => !isCountedFromRecords(budget))
  const fromModels = fromRollups.filter(({ scope }) => scope.kind === 'model')
  sumRollups(file, fromRollups, { span, counted })
  if (fromModels.length > 0) sumModels(file, fromModels, { span, slugOf, counted })
  if (fromRecords.length > 0) sumRecords(file, fromRecords, { span, slugOf, counted })
  return counted
}

/** False if retention (under a week) removed needed records: the stored count is then better. */
export function canCount(file: SqliteFile, budget: Budget, span: BudgetSpan): boolean {
  return !isCountedFromRecords(budget) || areRecordsWhole(file, span)
}

/** Rollups of models and dimensions are kept by month alone. */
function isCountedFromRecords({ scope, period }: Budget): boolean {
  return (scope.kind === 'model' || scope.kind === 'dim') && period !== 'month'
}

interface SumOptions {
  readonly span: BudgetSpan
  readonly counted: Counted
}

const PERIODS = 'period IN (SELECT value FROM json_each(?))'
const NAMED = '(SELECT id FROM names WHERE name = ?)'
const SUMS = `SELECT COALESCE(SUM(cost_usd), 0) AS dollars, COALESCE(SUM(cost_pico), 0) AS remainder,
  COALESCE(SUM(unpriced), 0) AS unpriced`
/** Id 0 is the empty name: all keys together. */
const SUM_QUERIES = {
  global: `${SUMS} FROM total_rollup WHERE ${PERIODS} AND key_id = 0`,
  api_key: `${SUMS} FROM total_rollup WHERE ${PERIODS} AND key_id = ${NAMED}`,
  provider: `${SUMS} FROM total_rollup WHERE ${PERIODS} AND key_id = 0 AND provider = ${NAMED}`,
  dim: `${SUMS} FROM dim_rollup WHERE ${PERIODS} AND key_id = 0 AND dim_key = ${NAMED}
    AND dim_value = ${NAMED}`,
} as const

/** All scopes but models, whose patterns SQL cannot match. */
function sumRollups(
  file: SqliteFile,
  budgets: readonly Budget[],
  { span, counted }: SumOptions,
): void {
  const prepared = new Map<string, ReturnType<SqliteFile['database']['prepare']>>()
  for (const { id, scope, period } of budgets) {
    const figures = counted.get(id)
    if (scope.kind === 'model' || figures === undefined) continue
    const select = prepared.get(scope.kind) ?? file.database.prepare(SUM_QUERIES[scope.kind])
    prepared.set(scope.kind, select)
    select.setReadBigInts(true)
    const periods = period === 'month' ? [toMonth(span)] : listDays(span)
    const row = select.get(JSON.stringify(periods), ...toNames(scope))
    figures.spent = fromDollars(row?.['dollars'] as bigint, row?.['remainder'] as bigint)
    figures.unpriced = Number(row?.['unpriced'])
  }
}

function toNames(scope: BudgetScope): SQLInputValue[] {
  switch (scope.kind) {
    case 'api_key':
      return [scope.keyId]
    case 'provider':
      return [scope.providerId]
    case 'dim':
      return [scope.key, scope.value]
    case 'global':
    case 'model':
      return []
  }
}

function toMonth({ startMs }: BudgetSpan): number {
  return toPeriodNumber(new Date(startMs).toISOString().slice(0, 7))
}

/** Patterns match names, not ids, so each model of the month is checked once. */
function sumModels(
  file: SqliteFile,
  budgets: readonly Budget[],
  { span, counted, slugOf }: SumOptions & CountOptions,
): void {
  const index = createBudgetIndex(budgets, slugOf)
  const select = file.database.prepare(`SELECT cost_usd, cost_pico, unpriced,
    (SELECT name FROM names WHERE id = provider) AS provider,
    (SELECT name FROM names WHERE id = model) AS model
    FROM model_rollup WHERE period = ? AND key_id = 0 AND model > 0`)
  select.setReadBigInts(true)
  for (const row of select.iterate(toMonth(span))) {
    const [provider, model] = [row['provider'] as string, row['model'] as string]
    for (const { id } of index.find({ keyId: null, provider, model, dims: {} })) {
      const figures = counted.get(id) as SpendFigures
      figures.spent += fromDollars(row['cost_usd'] as bigint, row['cost_pico'] as bigint)
      figures.unpriced += Number(row['unpriced'])
    }
  }
}

/** Calls with the same model and dimensions have the same budgets. Cleared when full. */
const CALLS_REMEMBERED_MAX = 10_000

function sumRecords(
  file: SqliteFile,
  budgets: readonly Budget[],
  { span, counted, slugOf }: SumOptions & CountOptions,
): void {
  const index = createBudgetIndex(budgets, slugOf)
  const remembered = new Map<string, readonly SpendFigures[]>()

  function findCovering({ provider, model, dims }: SpanRecord): readonly SpendFigures[] {
    const name = `${provider}\0${model ?? ''}\0${dims ?? ''}`
    const known = remembered.get(name)
    if (known !== undefined) return known
    const call = { keyId: null, provider, model, dims: dims === null ? {} : JSON.parse(dims) }
    const covering = index.find(call).map(({ id }) => counted.get(id) as SpendFigures)
    if (remembered.size >= CALLS_REMEMBERED_MAX) remembered.clear()
    remembered.set(name, covering)
    return covering
  }

  for (const record of readSpanRecords(file, span)) {
    for (const figures of findCovering(record)) addCall(figures, record)
  }
}
