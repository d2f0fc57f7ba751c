// What the parts of an answer are given.

import type { AnalysisAnswer, AnalysisQuestion } from '../../data/analysis/analysis.ts'
import type { ExploreSearch } from './explore-search.ts'
import type { Place } from './narrow.ts'

export interface AnswerProps {
  /** The question in words. */
  readonly label: string
  readonly place: Place
  readonly question: AnalysisQuestion
  /** Undefined while it is loading. */
  readonly answer: AnalysisAnswer | undefined
  readonly onChange: (change: ExploreSearch) => void
}
