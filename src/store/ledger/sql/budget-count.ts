// What budgets spent in a period: from the rollups where they have it, which is
// exact and fast, else from the records, as their engine adds them up.

import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { Sql } from '../../sql/sql.ts'
import { readCostRevision } from '../../usage/sql/cost-revision.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import { areRecordsWhole } from '../../usage/sql/scope.ts'
import type { RecordReader } from '../../usage/record-reader.ts'
import { fromDollars } from '../../usage/sql/figure-columns.ts'
import {
  createGroupCount,
  createModelCount,
  isCountedFromRecords,
  listPeriods,
  MODEL_SUMS,
  planCount,
  toMonth,
  toNames,
  toScopeQuery,
  toSpendGroups,
} from '../budget-sums.ts'
import type { Counted, CountOptions, CountPlan, ModelSum } from '../budget-sums.ts'
import type { SpendFigures } from '../spend-figures.ts'

/** Where budgets are counted. */
export interface CountSource {
  readonly records: RecordReader
  readonly dialect: Dialect
}

/** The budgets must all be of the span's kind of period. The `sql` is of one moment. */
export async function countSpend(
  sql: Sql,
  budgets: readonly Budget[],
  { span, slugOf, records, dialect }: CountOptions & CountSource,
): Promise<Counted> {
  if (budgets.length === 0) return new Map()
  const plan = planCount(budgets, await readCostRevision(sql))
  await sumRollups(sql, plan, { span, dialect })
  if (plan.fromModels.length > 0) {
    const sums = await sql.all<ModelSum>(MODEL_SUMS, [toMonth(span)])
    sums.forEach(createModelCount(plan, slugOf))
  }
  if (plan.fromRecords.length > 0) {
    const add = createGroupCount(plan, slugOf)
    for await (const sum of records.readSpend(sql, span, toSpendGroups(plan))) add(sum)
  }
  return plan.counted
}

/** False if retention (under a week) removed needed records: the stored count is then better. */
export async function canCount(sql: Sql, budget: Budget, span: BudgetSpan): Promise<boolean> {
  return !isCountedFromRecords(budget) || areRecordsWhole(sql, span)
}

interface SumRow {
  readonly dollars: number | bigint
  readonly remainder: number | bigint
  readonly unpriced: number | bigint
}

async function sumRollups(
  sql: Sql,
  { counted, fromRollups }: CountPlan,
  { span, dialect }: { readonly span: BudgetSpan; readonly dialect: Dialect },
): Promise<void> {
  for (const budget of fromRollups) {
    const isInSpan = dialect.isAmong('period', listPeriods(budget, span))
    const query = toScopeQuery(budget.scope.kind, isInSpan.sql)
    const names = toNames(budget.scope).map(dialect.toText)
    const row = await sql.first<SumRow>(query, [...isInSpan.parameters, ...names])
    const figures = counted.get(budget.id) as SpendFigures
    figures.spent = fromDollars(BigInt(row?.dollars ?? 0), BigInt(row?.remainder ?? 0))
    figures.unpriced = Number(row?.unpriced ?? 0)
  }
}
