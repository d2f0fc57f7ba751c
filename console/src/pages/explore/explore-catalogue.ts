// What Explore offers: the questions that /v1/usage answers, and no others.

import { CATALOGUE } from '../../../../src/api/usage/catalogue.ts'
import type { Dimension, Metric, UsageWindow } from '../../../../src/api/usage/catalogue.ts'
import { EXPLORE_DIMENSIONS } from './explore-search.ts'

/** What the rows stand for; a total has one row. */
export type Grouping = Dimension | 'total'

export const GROUPINGS: readonly Grouping[] = ['total', ...EXPLORE_DIMENSIONS]

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
