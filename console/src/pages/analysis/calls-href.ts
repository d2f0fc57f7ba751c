// The calls that a figure sums, in the request log. Must stay true: they are just these; where the
// log cannot be asked for them, there is no link.

import { toDimKey } from '../../data/analysis/fields.ts'
import type { Filter } from '../../data/analysis/filters.ts'
import { toHourText } from '../../data/analysis/time-range.ts'
import type { Span } from '../../data/analysis/time-range.ts'
import { toHref } from '../../data/search-values.ts'

export interface CallsSpan {
  readonly span: Span
  readonly nowMs: number
}

/** Left out: newest first. */
export interface CallsOrder {
  readonly sort?: 'cost' | 'duration'
}

const LOG_FIELDS = ['provider', 'model', 'api_key', 'status', 'source'] as const

/** Undefined where the log cannot show just the calls that pass the filters. */
export function toCallsHref(
  filters: readonly Filter[],
  { span, nowMs }: CallsSpan,
  how: CallsOrder,
): string | undefined {
  const search: Record<string, string | readonly string[]> = { from: toHourText(span.fromMs) }
  // What runs has no end: the newest calls belong to it.
  if (span.toMs <= nowMs) search['to'] = toHourText(span.toMs)
  for (const { field, isExcluding, values } of filters) {
    const key = toDimKey(field)
    const plain = LOG_FIELDS.find((each) => each === field)
    if (isExcluding || values.includes('')) return undefined
    if (key !== null && search['dim_key'] === undefined) {
      search['dim_key'] = key
      search['dim_value'] = values
    } else if (plain !== undefined && !(plain === 'model' && values.some(isPattern))) {
      search[plain] = values
    } else {
      return undefined
    }
  }
  return toHref('/requests', { ...search, ...how })
}

/** To the log an asterisk stands for any characters. */
function isPattern(model: string): boolean {
  return model.includes('*')
}
