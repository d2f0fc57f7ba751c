// Whether Explore's question is one that GET /v1/usage answers: then the lines for a shell are
// those, since that contract never changes. Must stay true: both ask for the same figures.

import { isByChange } from '../../../../src/api/analysis/analysis-orders.ts'
import { CATALOGUE } from '../../../../src/api/usage/catalogue.ts'
import type { Dimension, Metric, UsageWindow } from '../../../../src/api/usage/catalogue.ts'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { toDimKey } from '../../data/analysis/fields.ts'
import { isOnly, parseFilters } from '../../data/analysis/filters.ts'
import type { Measure } from '../../data/analysis/measures.ts'
import type { RangePreset } from '../../data/analysis/time-range.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { compact } from '../../data/search-values.ts'
import type { UsageQuestion } from '../../data/usage.ts'
import type { ExploreSearch } from './explore-search.ts'

const METRICS: Partial<Readonly<Record<Measure, Metric>>> = {
  cost: 'cost_usd',
  requests: 'requests',
  tokens: 'tokens',
}

const WINDOWS: Partial<Readonly<Record<RangePreset, UsageWindow>>> = {
  today: 'today',
  yesterday: 'yesterday',
  last_7_days: 'last_7_days',
  last_30_days: 'last_30_days',
  this_month: 'month_to_date',
  last_month: 'last_month',
}

/** Null where only /v1/analysis answers it. */
export function toCatalogueQuestion(
  search: ExploreSearch,
  question: AnalysisQuestion,
): UsageQuestion | null {
  const { order_by: order } = question
  const metric = isByChange(order) ? undefined : METRICS[order]
  const grouping = toGrouping(question)
  const key = toKey(question.filter)
  if (metric === undefined || grouping === null || key === null) return null
  if (question.compare !== undefined || (key !== undefined && metric !== 'cost_usd')) return null
  const { dimension, dim_key } = grouping
  const when = toWindow(search, question, dimension)
  if (when === null || !isServed(metric, dimension, when.window)) return null
  const isCut = dimension !== undefined && dimension !== 'day'
  const limit = isCut ? question.limit : undefined
  return compact({ metric, dimension, dim_key, ...when, limit, api_key: key })
}

function isServed(metric: Metric, dimension: Dimension | undefined, window: UsageWindow): boolean {
  return CATALOGUE.some(
    (row) =>
      row.metric === metric &&
      row.dimension === (dimension ?? null) &&
      row.windows.includes(window),
  )
}

interface Grouping {
  readonly dimension: Dimension | undefined
  readonly dim_key?: string
}

function toGrouping({ group_by, interval }: AnalysisQuestion): Grouping | null {
  const [first, second] = group_by
  if (interval === 'day') return first === undefined ? { dimension: 'day' } : null
  if (interval === 'month') return isOne(group_by, 'provider') ? { dimension: 'provider' } : null
  if (interval !== 'none') return null
  if (first === undefined) return { dimension: undefined }
  const key = toDimKey(first)
  if (key !== null) {
    if (second === undefined) return { dimension: 'dim', dim_key: key }
    return second === 'model' ? { dimension: 'dim_model', dim_key: key } : null
  }
  const plain = (['provider', 'model', 'api_key'] as const).find((each) => isOne(group_by, each))
  return plain === undefined ? null : { dimension: plain }
}

function isOne(groups: readonly string[], field: string): boolean {
  return groups.length === 1 && groups[0] === field
}

/** Undefined without a filter, null with one that /v1/usage has not. */
function toKey(texts: readonly string[]): string | undefined | null {
  if (texts.length === 0) return undefined
  const filters = parseFilters(texts)
  const [filter] = filters
  const value = filter?.values[0] ?? ''
  if (filters.length !== 1 || value === '') return null
  return isOnly(filters, 'api_key', value) ? value : null
}

type When = Pick<UsageQuestion, 'window' | 'month' | 'months'>

function toWindow(
  { range, from, to }: ExploreSearch,
  { interval }: AnalysisQuestion,
  dimension: Dimension | undefined,
): When | null {
  if (interval === 'month') {
    return range === 'last_12_months' ? { window: 'monthly_series', months: 12 } : null
  }
  if (from !== undefined && to !== undefined) {
    const month = from.slice(0, 7)
    const isMonth = from === `${month}-01` && to === `${toMonthBefore(month, -1)}-01`
    return isMonth && dimension !== 'day' ? { window: 'month', month } : null
  }
  const window = range === undefined ? undefined : WINDOWS[range]
  return window === undefined || from !== undefined || to !== undefined ? null : { window }
}
