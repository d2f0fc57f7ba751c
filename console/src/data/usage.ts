// The figures of /v1/usage, shown as they came, with their asOf, and asked for again when the
// snapshot that they came from has ended.

import { queryOptions } from '@tanstack/react-query'
import type {
  Dimension,
  Metric,
  UsageBreakdown,
  UsageEnvelope,
  UsageWindow,
} from '../../../src/api/contract.ts'
import { askAged, toPath } from './api-client.ts'
import type { Aged } from './api-client.ts'

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
  return queryOptions({
    queryKey: ['usage', question] as const,
    queryFn: ({ signal }) => askAged<UsageEnvelope>(toUsagePath(question), { signal }),
    staleTime: (query) => query.state.data?.maxAgeMs ?? 0,
    refetchInterval: (query) => query.state.data?.maxAgeMs ?? false,
  })
}

/** With the whole that the rows are part of, of the same moment. */
export function breakdownQuery(question: UsageQuestion) {
  return queryOptions({
    queryKey: ['breakdown', question] as const,
    queryFn: ({ signal }) =>
      askAged<UsageBreakdown>(toPath('/v1/breakdown', { ...question }), { signal }),
    staleTime: (query) => query.state.data?.maxAgeMs ?? 0,
    refetchInterval: (query) => query.state.data?.maxAgeMs ?? false,
  })
}

/** The address where a program gets the same figures. */
export function toUsagePath(question: UsageQuestion): string {
  return toPath('/v1/usage', { ...question })
}

/** The one row of a total; 0 where it has none. */
export function toTotal(answer: Pick<UsageEnvelope, 'rows'>): number {
  return answer.rows[0]?.value ?? 0
}
