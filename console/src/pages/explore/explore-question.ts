// From the address of Explore to a question of the catalogue, and from a click to the next address.
// Must stay true: an address means what the same parameters mean to /v1/usage, so that no one sees
// the figures of another question; only the bare page has a question of its own.

import type { Metric, UsageWindow } from '../../../../src/api/contract.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { isBreakdown, isByDim, windowsOf } from './explore-catalogue.ts'
import type { Grouping } from './explore-catalogue.ts'
import type { ExploreSearch } from './explore-search.ts'
import type { UsageQuestion } from '../../data/usage.ts'

export const MONTHS_DEFAULT = 12
/** What the API takes where no limit is given. */
export const LIMIT_DEFAULT = 5
/** What a click asks for: more than the API's, since a page has room. */
const LIMIT_CHOSEN = 20
/** The colours of a chart end there. */
const SERIES_CHOSEN = 5

const FIRST: ExploreSearch = {
  metric: 'cost_usd',
  dimension: 'model',
  window: 'month_to_date',
}

export interface ExploreParts {
  readonly metric: Metric
  readonly grouping: Grouping
  /** Undefined where nothing can be asked of metric and grouping together. */
  readonly window: UsageWindow | undefined
}

export type ExploreQuestion =
  | { readonly kind: 'ready'; readonly question: UsageQuestion }
  /** A part is missing that only a person can choose. */
  | { readonly kind: 'wanting'; readonly part: 'dim_key' | 'month' | 'window' }

/** The bare page filled in. */
export function withFirst(search: ExploreSearch): ExploreSearch {
  const { metric, dimension, window } = search
  const isBare = metric === undefined && dimension === undefined && window === undefined
  return isBare ? { ...search, ...FIRST, limit: search.limit ?? LIMIT_CHOSEN } : search
}

export function toParts(search: ExploreSearch): ExploreParts {
  const { metric = 'cost_usd', dimension, window } = search
  const grouping = dimension ?? 'total'
  return { metric, grouping, window: window ?? windowsOf(metric, grouping)[0] }
}

export function toQuestion(search: ExploreSearch): ExploreQuestion {
  const { metric, grouping, window } = toParts(search)
  if (window === undefined) return { kind: 'wanting', part: 'window' }
  if (isByDim(grouping) && search.dim_key === undefined) return { kind: 'wanting', part: 'dim_key' }
  if (window === 'month' && search.month === undefined) return { kind: 'wanting', part: 'month' }
  const { view: _, ...parameters } = search
  return { kind: 'ready', question: { ...parameters, metric, window } }
}

/** Whether the rows are parts of the total. */
export function isParted({ dimension, window }: UsageQuestion): boolean {
  return isBreakdown(dimension ?? 'total') && window !== 'monthly_series'
}

/** What choices are filled in from. */
export interface ExploreKnowledge {
  /** Most used first. */
  readonly dimKeys: readonly string[]
  /** The server's time: its month is the current one. */
  readonly asOf: string
}

export function choose(
  search: ExploreSearch,
  choice: Partial<ExploreParts>,
  { dimKeys, asOf }: ExploreKnowledge,
): ExploreSearch {
  const before = toParts(search)
  const metric = choice.metric ?? before.metric
  const wanted = choice.grouping ?? before.grouping
  const grouping = windowsOf(metric, wanted).length > 0 ? wanted : 'total'
  const windows = windowsOf(metric, grouping)
  const window = [choice.window, before.window].find((each) => each && windows.includes(each))
  const chosen = window ?? windows[0]
  return {
    metric,
    dimension: grouping === 'total' ? undefined : grouping,
    window: chosen,
    dim_key: isByDim(grouping) ? (search.dim_key ?? dimKeys[0]) : undefined,
    month: chosen === 'month' ? (search.month ?? toMonthBefore(asOf)) : undefined,
    months: chosen === 'monthly_series' ? search.months : undefined,
    limit: toLimit(grouping, chosen, search.limit),
    api_key: metric === 'cost_usd' ? search.api_key : undefined,
    view: search.view,
  }
}

function toLimit(
  grouping: Grouping,
  window: UsageWindow | undefined,
  before: number | undefined,
): number | undefined {
  if (!isBreakdown(grouping)) return undefined
  if (window === 'monthly_series') return Math.min(before ?? SERIES_CHOSEN, SERIES_CHOSEN)
  return Math.max(before ?? LIMIT_CHOSEN, LIMIT_CHOSEN)
}
