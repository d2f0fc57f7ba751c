// From the address of Explore to a question. Must stay true: what the page shows, the address says;
// only the bare page has a question of its own.

import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { chooseInterval } from '../../data/analysis/interval.ts'
import { toMeasure } from '../../data/analysis/measures.ts'
import { toHourText, toSpan } from '../../data/analysis/time-range.ts'
import type { Span } from '../../data/analysis/time-range.ts'
import type { ExploreSearch } from './explore-search.ts'

export const LIMIT_DEFAULT = 20

const FIRST: ExploreSearch = { range: 'last_30_days', group_by: ['model'], order_by: 'cost' }

/** The bare page filled in. */
export function withFirst(search: ExploreSearch): ExploreSearch {
  const isBare = Object.values(search).every((value) => value === undefined)
  return isBare ? { ...search, ...FIRST } : search
}

/** Without a comparison nothing has changed. */
function toOrder({
  order_by: order = 'cost',
  compare,
}: ExploreSearch): AnalysisQuestion['order_by'] {
  return compare === undefined ? toMeasure(order) : order
}

export interface Asked {
  readonly question: AnalysisQuestion
  readonly span: Span
}

export function toAsked(search: ExploreSearch, nowMs: number): Asked {
  const span = toSpan(search, nowMs)
  return {
    span,
    question: {
      from: toHourText(span.fromMs),
      to: toHourText(span.toMs),
      interval: chooseInterval(search.interval, span),
      group_by: search.group_by ?? [],
      filter: search.filter ?? [],
      order_by: toOrder(search),
      limit: search.limit ?? LIMIT_DEFAULT,
      compare: search.compare,
    },
  }
}
