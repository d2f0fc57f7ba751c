// What the address of Explore says: a question of GET /v1/analysis by its own names, with a preset
// in place of from and to where there is one.

import { parseFilterSearch } from '../../data/analysis/filters.ts'
import { isField } from '../../data/analysis/fields.ts'
import { INTERVALS } from '../../data/analysis/interval.ts'
import { ANALYSIS_ORDERS } from '../../../../src/api/analysis/analysis-orders.ts'
import type { AnalysisOrder } from '../../../../src/api/analysis/analysis-orders.ts'
import { parseRangeSearch } from '../../data/analysis/time-range.ts'
import {
  compact,
  parseChoice,
  parseCount,
  parseText,
  parseTexts,
} from '../../data/search-values.ts'
import type { RawSearch } from '../../data/search-values.ts'
import type { AnalysisSearch, Answered } from '../analysis/asked.ts'

/** An interval that is left out is the one that fits the span. */
export interface ExploreSearch extends AnalysisSearch {
  /** At most two: what rows are, and what bars are stacked by. */
  readonly group_by?: readonly string[] | undefined
  readonly order_by?: AnalysisOrder | undefined
  readonly limit?: number | undefined
  /** Rows of the table: those of a later page, and those with this in their name. */
  readonly offset?: number | undefined
  readonly search?: string | undefined
  readonly compare?: 'previous' | undefined
}

/** What the parts of an answer are given. */
export interface AnswerProps extends Answered<ExploreSearch> {
  /** The question in words. */
  readonly label: string
}

const GROUP_BY_MAX = 2
const ROWS_MAX = 1000
const OFFSET_MAX = 100_000

export function parseExploreSearch(raw: RawSearch): ExploreSearch {
  const groupBy = (parseTexts(raw['group_by']) ?? []).filter(isField).slice(0, GROUP_BY_MAX)
  return compact({
    ...parseRangeSearch(raw),
    interval: parseChoice(raw['interval'], INTERVALS),
    group_by: groupBy.length === 0 ? undefined : groupBy,
    filter: parseFilterSearch(raw),
    order_by: parseChoice(raw['order_by'], ANALYSIS_ORDERS),
    limit: parseCount(raw['limit'], ROWS_MAX),
    offset: parseCount(raw['offset'], OFFSET_MAX),
    search: parseText(raw['search']),
    compare: parseChoice(raw['compare'], ['previous'] as const),
  })
}
