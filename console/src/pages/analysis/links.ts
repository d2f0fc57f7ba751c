// The calls that a figure sums, in the request log, and the hours of a bar. Must stay true: the
// calls are just these; where the log cannot be asked for them, there is no link.

import { toDimKey } from '../../data/analysis/fields.ts'
import type { Filter } from '../../data/analysis/filters.ts'
import { HOUR_MS, toHourText } from '../../data/analysis/time-range.ts'
import type { RangeSearch } from '../../data/analysis/time-range.ts'
import type { Asked } from './asked.ts'
import { toHref } from '../../data/search-values.ts'
import { toBucketEnd } from '../../data/analysis/interval.ts'
import type { Interval } from '../../data/analysis/interval.ts'

type CallsSpan = Pick<Asked<RangeSearch>, 'span' | 'nowMs'>

/** Left out: newest first. */
export interface CallsOrder {
  readonly sort?: 'cost' | 'duration'
}

const LOG_FIELDS = ['provider', 'model', 'api_key', 'team', 'person', 'status', 'source'] as const

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
    const isNone = values.length === 1 && values[0] === ''
    if (isExcluding || (values.includes('') && !isNone)) return undefined
    if (key !== null && isNone && search['without_dim'] === undefined) {
      search['without_dim'] = key
    } else if (isNone) {
      return undefined
    } else if (key !== null && search['dim_key'] === undefined) {
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

type BarPosition = Pick<Asked<RangeSearch>, 'search' | 'span' | 'nowMs'>

interface BarRange extends RangeSearch {
  readonly interval: undefined
}

/** Null where the span is the bar's one hour: there are no shorter ones. */
export function toBarRange(
  place: BarPosition,
  startMs: number,
  interval: Interval,
): BarRange | null {
  const { search, span, nowMs } = place
  const endMs = toBucketEnd(startMs, interval)
  // What runs goes on to its end; what was cut by free dates stays cut.
  const isRunning = search.to === undefined && endMs > nowMs
  const fromMs = Math.max(startMs, span.fromMs)
  const toMs = isRunning ? endMs : Math.min(endMs, span.toMs)
  const isWhole = fromMs <= span.fromMs && toMs >= span.toMs
  if (isWhole && span.toMs - span.fromMs <= HOUR_MS) return null
  // Its own bars are shorter.
  return { range: undefined, interval: undefined, from: toHourText(fromMs), to: toHourText(toMs) }
}
