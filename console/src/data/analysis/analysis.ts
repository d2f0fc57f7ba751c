// Questions to GET /v1/analysis.

import type {
  Analysis,
  AnalysisFiguresAnswer,
  AnalysisGroupMember,
  AnalysisRow,
} from '../../../../src/api/contract.ts'
import type { AnalysisOrder } from '../../../../src/api/analysis/analysis-orders.ts'
import { toPath } from '../api-client.ts'
import { agedQuery } from '../queries.ts'
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
  readonly offset?: number | undefined
  readonly search?: string | undefined
  readonly latency?: true | undefined
  readonly compare?: 'previous' | undefined
}

export function analysisQuery(question: AnalysisQuestion) {
  return agedQuery<Analysis>(['analysis', question], toPath('/v1/analysis', { ...question }))
}

/** All its groups as a file; with every step of its interval, all figures. */
export function toAnalysisCsvPath(question: AnalysisQuestion, isStepped: boolean): string {
  const { limit: _, offset: __, interval, ...asked } = question
  const steps = isStepped ? { interval, steps: 'true' } : {}
  return toPath('/v1/exports/analysis.csv', { ...asked, ...steps })
}
