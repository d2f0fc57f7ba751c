// Filters as the address and the API write them, FIELD=VALUE and FIELD!=VALUE, and as chips: one
// for each field and operator, with all its values.

import { parseTexts } from '../search-values.ts'
import type { RawSearch } from '../search-values.ts'
import { isField } from './fields.ts'

export interface Filter {
  readonly field: string
  readonly isExcluding: boolean
  /** Empty stands for calls without a value. */
  readonly values: readonly string[]
}

const FILTER = /^([^=!]*)(!?=)(.*)$/su
/** As many as the API takes. */
export const FILTERS_MAX = 20
export const FILTER_VALUES_MAX = 50
const FILTER_TEXTS_MAX = FILTERS_MAX * FILTER_VALUES_MAX

/** What is none is left out. */
export function parseFilters(texts: readonly string[]): readonly Filter[] {
  const found = new Map<string, { field: string; isExcluding: boolean; values: Set<string> }>()
  for (const text of texts) {
    const [, field = '', operator = '', value = ''] = FILTER.exec(text) ?? []
    if (!isField(field)) continue
    const id = field + operator
    const filter = found.get(id) ?? { field, isExcluding: operator === '!=', values: new Set() }
    if (filter.values.size < FILTER_VALUES_MAX) filter.values.add(value)
    if (found.size < FILTERS_MAX) found.set(id, filter)
  }
  return Array.from(found.values(), (filter) => ({ ...filter, values: [...filter.values] }))
}

/** Of an address; undefined without one. */
export function parseFilterSearch(raw: RawSearch): readonly string[] | undefined {
  const filter = toFilterTexts(parseFilters(parseTexts(raw['filter'], FILTER_TEXTS_MAX) ?? []))
  return filter.length === 0 ? undefined : filter
}

export function toFilterTexts(filters: readonly Filter[]): readonly string[] {
  return filters.flatMap(({ field, isExcluding, values }) =>
    values.map((value) => `${field}${isExcluding ? '!=' : '='}${value}`),
  )
}

/** Takes the place of the filter with the same field and operator. */
export function withFilter(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  const isSame = ({ field, isExcluding }: Filter): boolean =>
    field === filter.field && isExcluding === filter.isExcluding
  if (filter.values.length === 0) return filters.filter((each) => !isSame(each))
  return filters.some(isSame)
    ? filters.map((each) => (isSame(each) ? filter : each))
    : [...filters, filter]
}

/** Joins the filter with the same field and operator. */
export function withMore(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  return parseFilters([...toFilterTexts(filters), ...toFilterTexts([filter])])
}

/** In the place of another. */
export function withChanged(
  filters: readonly Filter[],
  before: Filter,
  filter: Filter,
): readonly Filter[] {
  const isSame = before.field === filter.field && before.isExcluding === filter.isExcluding
  if (isSame) return withFilter(filters, filter)
  return withMore(withFilter(filters, { ...before, values: [] }), filter)
}

/** Only calls with this value of the field, whatever was said about the field before. */
export function withOnly(
  filters: readonly Filter[],
  field: string,
  value: string,
): readonly Filter[] {
  const others = filters.filter((each) => each.field !== field)
  return [...others, { field, isExcluding: false, values: [value] }]
}

/** Whether calls are filtered to this value alone. */
export function isOnly(filters: readonly Filter[], field: string, value: string): boolean {
  return filters.some(
    (each) =>
      each.field === field &&
      !each.isExcluding &&
      each.values.length === 1 &&
      each.values[0] === value,
  )
}
