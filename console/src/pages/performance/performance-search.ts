// What the address of Performance says: the period, the grouping, the filters, and which time and
// which rate are drawn.

import { isField } from '../../data/analysis/fields.ts'
import { INTERVALS } from '../../data/analysis/interval.ts'
import { parseFilterSearch } from '../../data/analysis/filters.ts'
import { parseRangeSearch } from '../../data/analysis/time-range.ts'
import { compact, parseChoice, parseText } from '../../data/search-values.ts'
import type { RawSearch } from '../../data/search-values.ts'
import type { AnalysisSearch, Answered } from '../analysis/asked.ts'

/** By the API's names, without their units. */
export const TIMES = ['first_byte', 'unstreamed', 'total', 'own'] as const
export type TimeName = (typeof TIMES)[number]
export const PERCENTILES = ['p50', 'p95', 'p99'] as const
export type Percentile = (typeof PERCENTILES)[number]
export const RATES = ['errors', 'caches', 'speed'] as const
export type Rate = (typeof RATES)[number]

export interface PerformanceSearch extends AnalysisSearch {
  /** Left out: by provider. */
  readonly group_by?: string | undefined
  readonly time?: TimeName | undefined
  readonly rate?: Rate | undefined
}

/** What the parts of Performance are given. */
export type PerformanceProps = Answered<PerformanceSearch>

export function parsePerformanceSearch(raw: RawSearch): PerformanceSearch {
  const groupBy = parseText(raw['group_by'])
  return compact({
    ...parseRangeSearch(raw),
    interval: parseChoice(raw['interval'], INTERVALS),
    group_by: groupBy !== undefined && isField(groupBy) ? groupBy : undefined,
    filter: parseFilterSearch(raw),
    time: parseChoice(raw['time'], TIMES),
    rate: parseChoice(raw['rate'], RATES),
  })
}
