// How the spend of budgets is summed from rollups and records, whatever the engine. Must stay true:
// it equals counting every call as it ends.

import type { Budget, BudgetScope, BudgetSpan } from '../../core/budget.ts'
import { createBudgetIndex } from '../../core/budget-index.ts'
import type { SlugOf } from '../../core/budget-index.ts'
import { counterIdOf, memberOf } from '../../core/budgets/each-budget.ts'
import { PERSON_FACT, TEAM_FACT } from '../../core/teams/team.ts'
import { fromDollars } from '../usage/sql/figure-columns.ts'
import { toPeriodNumber } from '../usage/sql/periods.ts'
import { listDays } from '../usage/sql/spans/span-record.ts'
import type { SpendGroups, SpendSum } from '../usage/spend-sums.ts'
import { addSum, createSpendFigures } from './spend-figures.ts'
import type { SpendFigures } from './spend-figures.ts'

/** By the budgets' ids; of a rule, those of its counters that have spent something as well. */
export type Counted = ReadonlyMap<string, SpendFigures>

export interface CountOptions {
  readonly span: BudgetSpan
  readonly slugOf: SlugOf
}

/** Which budgets are summed from what. They are all of the same kind of period. */
export interface CountPlan {
  readonly counted: Map<string, SpendFigures>
  readonly fromRollups: readonly Budget[]
  /** From the models' rollups: SQL cannot match their patterns. */
  readonly fromModels: readonly Budget[]
  readonly fromRecords: readonly Budget[]
}

export function planCount(budgets: readonly Budget[], costRevision: string): CountPlan {
  const isModel = ({ scope }: Budget): boolean => scope.kind === 'model'
  const rest = budgets.filter((budget) => !isCountedFromRecords(budget))
  return {
    counted: new Map(budgets.map(({ id }) => [id, createSpendFigures(costRevision)])),
    fromRollups: rest.filter((budget) => !isModel(budget)),
    fromModels: rest.filter(isModel),
    fromRecords: budgets.filter(isCountedFromRecords),
  }
}

/** Rollups of models and dimensions are kept by month alone, and tell few things apart. */
export function isCountedFromRecords({ scope, period, each }: Budget): boolean {
  if (each !== 'none') return true
  return (scope.kind === 'model' || scope.kind === 'dim') && period !== 'month'
}

const NAMED = '(SELECT id FROM names WHERE name = ?)'
const SUMS = `SELECT COALESCE(SUM(cost_usd), 0) AS dollars, COALESCE(SUM(cost_pico), 0) AS remainder,
  COALESCE(SUM(unpriced), 0) AS unpriced`

/** `isInPeriods` is the condition with the first parameter; toNames gives those that follow. */
export function toScopeQuery(kind: BudgetScope['kind'], isInPeriods: string): string {
  // Id 0 is the empty name: all keys together.
  switch (kind) {
    case 'api_key':
      return `${SUMS} FROM total_rollup WHERE ${isInPeriods} AND key_id = ${NAMED}`
    case 'provider':
      return `${SUMS} FROM total_rollup WHERE ${isInPeriods} AND key_id = 0 AND provider = ${NAMED}`
    case 'dim':
      return `${SUMS} FROM dim_rollup WHERE ${isInPeriods} AND key_id = 0 AND dim_key = ${NAMED}
        AND dim_value = ${NAMED}`
    case 'global':
    case 'model':
      return `${SUMS} FROM total_rollup WHERE ${isInPeriods} AND key_id = 0`
  }
}

export function toNames(scope: BudgetScope): string[] {
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

/** As the rollups number them. */
export function listPeriods({ period }: Budget, span: BudgetSpan): readonly number[] {
  return period === 'month' ? [toMonth(span)] : listDays(span)
}

export function toMonth({ startMs }: BudgetSpan): number {
  return toPeriodNumber(new Date(startMs).toISOString().slice(0, 7))
}

/** Takes the month. */
export const MODEL_SUMS = `SELECT cost_usd, cost_pico, unpriced,
  (SELECT name FROM names WHERE id = provider) AS provider,
  (SELECT name FROM names WHERE id = model) AS model
  FROM model_rollup WHERE period = ? AND key_id = 0 AND model > 0`

export interface ModelSum {
  readonly cost_usd: number | bigint
  readonly cost_pico: number | bigint
  readonly unpriced: number | bigint
  readonly provider: string
  readonly model: string
}

/** Patterns match names, not ids, so each model of the month is checked once. */
export function createModelCount(
  { counted, fromModels }: CountPlan,
  slugOf: SlugOf,
): (sum: ModelSum) => void {
  const index = createBudgetIndex(fromModels, slugOf)
  return ({ provider, model, ...sum }) => {
    for (const { id } of index.find({ keyId: null, provider, model, dims: {} })) {
      const figures = counted.get(id) as SpendFigures
      figures.spent += fromDollars(BigInt(sum.cost_usd), BigInt(sum.cost_pico))
      figures.unpriced += Number(sum.unpriced)
    }
  }
}

/** By what calls must be told apart for these budgets. */
export function toSpendGroups({ fromRecords }: CountPlan): SpendGroups {
  const dims = new Map<string, string[] | null>()
  let [isByModel, isByKey] = [false, false]
  for (const { scope, each } of fromRecords) {
    // The provider of a call comes with its model.
    if (scope.kind === 'model' || scope.kind === 'provider') isByModel = true
    if (scope.kind === 'api_key' || each === 'key') isByKey = true
    if (each === 'person') dims.set(PERSON_FACT, null)
    if (each === 'team') dims.set(TEAM_FACT, null)
    if (scope.kind !== 'dim') continue
    const values = dims.get(scope.key)
    if (values !== null) dims.set(scope.key, [...(values ?? []), scope.value])
  }
  return { isByModel, isByKey, dims }
}

export function createGroupCount(
  { counted, fromRecords }: CountPlan,
  slugOf: SlugOf,
): (sum: SpendSum) => void {
  const index = createBudgetIndex(fromRecords, slugOf)
  return (sum) => {
    for (const { id, each } of index.find(sum)) {
      const figures = counted.get(id) as SpendFigures
      const member = memberOf(each, sum)
      if (member === null && each !== 'none') continue
      addSum(figures, sum)
      if (member === null) continue
      const counterId = counterIdOf(id, member)
      const own = counted.get(counterId) ?? createSpendFigures(figures.costRevision)
      addSum(own, sum)
      if (own.spent !== 0n || own.unpriced > 0) counted.set(counterId, own)
    }
  }
}
