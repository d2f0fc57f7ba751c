// A question of the pages that ask GET /v1/analysis, and what the parts of its answer are given.

import type { AnalysisAnswer, AnalysisQuestion } from '../../data/analysis/analysis.ts'
import type { Interval } from '../../data/analysis/interval.ts'
import type { RangeSearch, Span } from '../../data/analysis/time-range.ts'

/** What the addresses of these pages have in common. */
export interface AnalysisSearch extends RangeSearch {
  readonly interval?: Interval | undefined
  readonly filter?: readonly string[] | undefined
}

/** A question as it is asked now. */
export interface Asked<Search extends AnalysisSearch> {
  readonly search: Search
  readonly question: AnalysisQuestion
  readonly span: Span
  readonly nowMs: number
  readonly onChange: (change: Search) => void
}

/** What the parts of an answer are given. */
export interface Answered<Search extends AnalysisSearch> extends Asked<Search> {
  /** Undefined while it is loading. */
  readonly answer: AnalysisAnswer | undefined
}
