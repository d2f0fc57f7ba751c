// The questions that /v1/usage answers, so that Explore offers these and no others. Must stay true: it is the catalogue
// of src/api/contract.ts, word for word; test/usage-api/explore.test.ts holds the two against each other.

import type { CatalogueRow, Dimension, Metric, UsageWindow } from '../../../../src/api/contract.ts'
import { EXPLORE_DIMENSIONS } from './explore-search.ts'

/** What the rows stand for; a total has one row. */
export type Grouping = Dimension | 'total'

export const GROUPINGS: readonly Grouping[] = ['total', ...EXPLORE_DIMENSIONS]

export const CATALOGUE: readonly CatalogueRow[] = [
  {
    metric: 'cost_usd',
    dimension: null,
    windows: ['month_to_date', 'last_month', 'today', 'yesterday', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'provider',
    windows: ['month_to_date', 'today', 'month', 'monthly_series'],
  },
  { metric: 'cost_usd', dimension: 'model', windows: ['month_to_date', 'month'] },
  { metric: 'cost_usd', dimension: 'api_key', windows: ['month_to_date', 'today', 'month'] },
  { metric: 'cost_usd', dimension: 'dim', windows: ['month_to_date', 'month'] },
  { metric: 'cost_usd', dimension: 'dim_model', windows: ['month_to_date', 'month'] },
  { metric: 'cost_usd', dimension: 'day', windows: ['last_7_days', 'last_30_days'] },
  { metric: 'requests', dimension: null, windows: ['today', 'month_to_date'] },
  { metric: 'tokens', dimension: null, windows: ['month_to_date'] },
]

/** Empty where the two do not go together. */
export function windowsOf(metric: Metric, grouping: Grouping): readonly UsageWindow[] {
  const dimension = grouping === 'total' ? null : grouping
  const row = CATALOGUE.find((each) => each.metric === metric && each.dimension === dimension)
  return row?.windows ?? []
}

/** Whether a row is one of many, so that `limit` cuts them and each is a share of the whole. */
export function isBreakdown(grouping: Grouping): boolean {
  return grouping !== 'total' && grouping !== 'day'
}

export function isByDim(grouping: Grouping): boolean {
  return grouping === 'dim' || grouping === 'dim_model'
}
