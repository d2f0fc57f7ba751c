// What the parts of Performance are given.

import type { AnalysisAnswer, AnalysisQuestion } from '../../data/analysis/analysis.ts'
import type { Span } from '../../data/analysis/time-range.ts'
import type { PerformanceSearch } from './performance-search.ts'

export interface PerformanceProps {
  readonly search: PerformanceSearch
  readonly question: AnalysisQuestion
  readonly span: Span
  readonly nowMs: number
  /** Undefined while it is loading. */
  readonly answer: AnalysisAnswer | undefined
  readonly onChange: (change: PerformanceSearch) => void
}
