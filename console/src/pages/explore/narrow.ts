// What a click on a bar or a row leads to: first a narrower question, then the calls that it is
// made of, most expensive first. Must stay true: the calls are those that the figure sums; where
// the request log cannot be asked for just these, there is no link to it.

import type { Member } from '../../data/analysis/analysis.ts'
import {
  FILTER_VALUES_MAX,
  isOnly,
  parseFilters,
  toFilterTexts,
  withMore,
  withOnly,
} from '../../data/analysis/filters.ts'
import type { Filter } from '../../data/analysis/filters.ts'
import type { Interval } from '../../data/analysis/interval.ts'
import { DAY_MS } from '../../data/analysis/time-range.ts'
import { toHref } from '../../data/search-values.ts'
import { toBarRange, toCallsHref } from '../analysis/links.ts'
import type { Asked } from '../analysis/asked.ts'
import type { ExploreSearch } from './explore-search.ts'

const MOST_EXPENSIVE = { sort: 'cost' } as const

export type Place = Pick<Asked<ExploreSearch>, 'search' | 'span' | 'nowMs'>

export interface RowLinks {
  /** Undefined where there is nothing to narrow to. */
  readonly narrow: string | undefined
  /** Undefined where the request log cannot show just these calls. */
  readonly calls: string | undefined
  /** Which of the two a click on the row follows. */
  readonly first: 'narrow' | 'calls'
}

/** `shown`: the first member of every row, for the row of what is beyond them. */
export function toRowLinks(
  place: Place,
  group: readonly Member[],
  shown: readonly Member[] = [],
): RowLinks {
  const { span } = place
  const search: ExploreSearch = { ...place.search, offset: undefined, search: undefined }
  const filters = parseFilters(search.filter ?? [])
  const isRest = group.some(({ kind }) => kind === 'other')
  if (isRest) {
    const narrow = group.length === 1 ? toRestHref(search, filters, shown) : undefined
    return { narrow, calls: undefined, first: 'narrow' }
  }
  const narrowed = group.reduce(
    (sum, { field, value }) => withOnly(sum, field, value ?? ''),
    filters,
  )
  const isNarrowed = group.every(({ field, value }) => isOnly(filters, field, value ?? ''))
  const narrow = isNarrowed
    ? undefined
    : toHref('/explore', { ...search, filter: toFilterTexts(narrowed) })
  const calls = toCallsHref(narrowed, place, MOST_EXPENSIVE)
  // After a click on a bar there is a day at most, and after one on a row that row.
  const isSecond = isNarrowed || span.toMs - span.fromMs <= DAY_MS
  return { narrow, calls, first: isSecond && calls !== undefined ? 'calls' : 'narrow' }
}

/** The groups that have no row of their own: all but those that have. */
function toRestHref(
  search: ExploreSearch,
  filters: readonly Filter[],
  shown: readonly Member[],
): string | undefined {
  const kept = shown.filter(({ kind }) => kind !== 'other')
  const [field] = kept.map((member) => member.field)
  if (field === undefined || kept.length > FILTER_VALUES_MAX) return undefined
  const values = kept.map(({ value }) => value ?? '')
  const rest = withMore(filters, { field, isExcluding: true, values })
  return toHref('/explore', { ...search, filter: toFilterTexts(rest) })
}

/** A bar's hours; at the second click, when there are no shorter ones, its calls. */
export function toBarHref(place: Place, startMs: number, interval: Interval): string | undefined {
  const { search } = place
  const range = toBarRange(place, startMs, interval)
  if (range !== null) return toHref('/explore', { ...search, ...range })
  return toCallsHref(parseFilters(search.filter ?? []), place, MOST_EXPENSIVE)
}
