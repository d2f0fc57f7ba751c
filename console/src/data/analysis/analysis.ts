// Questions to GET /v1/analysis. Their answers are shown as they came, with their asOf, and asked
// for again when the snapshot that they came from has ended.

import { queryOptions } from '@tanstack/react-query'
import type {
  Analysis,
  AnalysisFiguresAnswer,
  AnalysisGroupMember,
  AnalysisRow,
} from '../../../../src/api/contract.ts'
import type { AnalysisOrder } from '../../../../src/api/analysis/analysis-orders.ts'
import { askAged, toPath } from '../api-client.ts'
import type { Interval } from './interval.ts'

export type AnalysisAnswer = Analysis
export type Figures = AnalysisFiguresAnswer
export type Member = AnalysisGroupMember
export type Row = AnalysisRow

/** By the names of the API. */
export interface AnalysisQuestion {
  readonly from: string
  readonly to: string
  readonly interval: Interval
  readonly group_by: readonly string[]
  readonly filter: readonly string[]
  readonly order_by: AnalysisOrder
  readonly limit: number
  readonly latency?: true | undefined
  readonly compare?: 'previous' | undefined
}

export function analysisQuery(question: AnalysisQuestion) {
  return queryOptions({
    queryKey: ['analysis', question] as const,
    queryFn: ({ signal }) => askAged<Analysis>(toPath('/v1/analysis', { ...question }), { signal }),
    staleTime: (query) => query.state.data?.maxAgeMs ?? 0,
    refetchInterval: (query) => query.state.data?.maxAgeMs ?? false,
  })
}
