// What the address of Explore says: a question of the catalogue and how it is shown. Whether the
// parts fit together is for the page and, in the end, for the API.

import type { Dimension, Metric, UsageWindow } from '../../../../src/api/contract.ts'
import { METRICS } from '../../../../src/api/usage/catalogue.ts'
import { compact, parseChoice, parseCount, parseText } from '../../data/search-values.ts'
import type { RawSearch } from '../../data/search-values.ts'

export const EXPLORE_METRICS: readonly Metric[] = METRICS
export const EXPLORE_DIMENSIONS: readonly Dimension[] = [
  'provider',
  'model',
  'api_key',
  'dim',
  'dim_model',
  'day',
]
export const EXPLORE_WINDOWS: readonly UsageWindow[] = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'month_to_date',
  'last_month',
  'month',
  'monthly_series',
]
export const EXPLORE_VIEWS = ['chart', 'table'] as const

const ROWS_MAX = 1000
const MONTHS_MAX = 24

export interface ExploreSearch {
  readonly metric?: Metric | undefined
  readonly window?: UsageWindow | undefined
  readonly dimension?: Dimension | undefined
  readonly dim_key?: string | undefined
  readonly month?: string | undefined
  readonly months?: number | undefined
  readonly limit?: number | undefined
  readonly api_key?: string | undefined
  readonly view?: (typeof EXPLORE_VIEWS)[number] | undefined
}

export function parseExploreSearch(raw: RawSearch): ExploreSearch {
  return compact({
    metric: parseChoice(raw['metric'], EXPLORE_METRICS),
    window: parseChoice(raw['window'], EXPLORE_WINDOWS),
    dimension: parseChoice(raw['dimension'], EXPLORE_DIMENSIONS),
    dim_key: parseText(raw['dim_key']),
    month: parseMonth(raw['month']),
    months: parseCount(raw['months'], MONTHS_MAX),
    limit: parseCount(raw['limit'], ROWS_MAX),
    api_key: parseText(raw['api_key']),
    view: parseChoice(raw['view'], EXPLORE_VIEWS),
  })
}

function parseMonth(value: unknown): string | undefined {
  const text = parseText(value)
  return text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined
}
