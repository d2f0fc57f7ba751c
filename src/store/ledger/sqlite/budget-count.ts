// What budgets spent in a period, on SQLite: from the rollups where they have it, which is exact
// and fast, else from the records in one pass, wherever these are.

import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromDollars } from '../../usage/sql/figure-columns.ts'
import { prepareCostRevision } from '../../usage/sqlite/cost-changes.ts'
import { areRecordsWhole, readSpanRecords } from '../../usage/sqlite/span-records.ts'
import {
  createModelCount,
  createRecordCount,
  isCountedFromRecords,
  listPeriods,
  MODEL_SUMS,
  planCount,
  toMonth,
  toNames,
  toScopeQuery,
} from '../budget-sums.ts'
import type { Counted, CountOptions, CountPlan, ModelSum } from '../budget-sums.ts'
import type { SpendFigures } from '../spend-figures.ts'

/** Adds to the figures of a plan what its budgets spent by the records. */
export type CountRecords = (file: SqliteFile, plan: CountPlan, options: CountOptions) => void

export interface SpendOptions extends CountOptions {
  readonly countRecords: CountRecords
}

/** The budgets must all be of the span's kind of period. */
export function countSpend(
  file: SqliteFile,
  budgets: readonly Budget[],
  { span, slugOf, countRecords }: SpendOptions,
): Counted {
  if (budgets.length === 0) return new Map()
  const plan = planCount(budgets, prepareCostRevision(file)())
  sumRollups(file, plan, span)
  if (plan.fromModels.length > 0) {
    const add = createModelCount(plan, slugOf)
    const select = file.database.prepare(MODEL_SUMS)
    select.setReadBigInts(true)
    for (const row of select.iterate(toMonth(span))) add(row as unknown as ModelSum)
  }
  if (plan.fromRecords.length > 0) countRecords(file, plan, { span, slugOf })
  return plan.counted
}

/** Where the records are in the same file. */
export const countOwnRecords: CountRecords = (file, plan, { span, slugOf }) => {
  const add = createRecordCount(plan, slugOf)
  for (const record of readSpanRecords(file, span)) add(record)
}

/** False if retention (under a week) removed needed records: the stored count is then better. */
export function canCount(file: SqliteFile, budget: Budget, span: BudgetSpan): boolean {
  return !isCountedFromRecords(budget) || areRecordsWhole(file, span)
}

const IN_PERIODS = 'period IN (SELECT value FROM json_each(?))'

function sumRollups(file: SqliteFile, { counted, fromRollups }: CountPlan, span: BudgetSpan): void {
  const prepared = new Map<string, ReturnType<SqliteFile['database']['prepare']>>()
  for (const budget of fromRollups) {
    const { id, scope } = budget
    const query = toScopeQuery(scope.kind, IN_PERIODS)
    const select = prepared.get(scope.kind) ?? file.database.prepare(query)
    prepared.set(scope.kind, select)
    select.setReadBigInts(true)
    const row = select.get(JSON.stringify(listPeriods(budget, span)), ...toNames(scope))
    const figures = counted.get(id) as SpendFigures
    figures.spent = fromDollars(row?.['dollars'] as bigint, row?.['remainder'] as bigint)
    figures.unpriced = Number(row?.['unpriced'])
  }
}
