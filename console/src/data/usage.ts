// The figures of /v1/usage.

import type {
  Dimension,
  Metric,
  UsageBreakdown,
  UsageEnvelope,
  UsageWindow,
} from '../../../src/api/contract.ts'
import { toPath } from './api-client.ts'
import type { Aged } from './api-client.ts'
import { agedQuery } from './queries.ts'

export interface UsageQuestion {
  readonly metric: Metric
  readonly window: UsageWindow
  readonly dimension?: Dimension | undefined
  readonly dim_key?: string | undefined
  /** YYYY-MM */
  readonly month?: string | undefined
  readonly months?: number | undefined
  readonly limit?: number | undefined
  readonly api_key?: string | undefined
}

export type UsageAnswer = Aged<UsageEnvelope>

export function usageQuery(question: UsageQuestion) {
  return agedQuery<UsageEnvelope>(['usage', question], toPath('/v1/usage', { ...question }))
}

/** With the whole that the rows are part of, of the same moment. */
export function breakdownQuery(question: UsageQuestion) {
  return agedQuery<UsageBreakdown>(
    ['breakdown', question],
    toPath('/v1/breakdown', { ...question }),
  )
}
