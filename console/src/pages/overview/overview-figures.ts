// The figures of the first page: one answer, of one moment. The questions beside them are those of
// /v1/usage that Explore opens.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BudgetList, Overview, UsageRow } from '../../../../src/api/contract.ts'
import type { Aged } from '../../data/api-client.ts'
import { readQuery } from '../../data/queries.ts'
import { overviewOf } from '../../data/service.ts'
import type { UsageAnswer, UsageQuestion } from '../../data/usage.ts'

const MONTH = { metric: 'cost_usd', window: 'month_to_date' } as const
export const TOP_COUNT = 5

export const OVERVIEW_QUESTIONS = {
  providers: { ...MONTH, dimension: 'provider', limit: TOP_COUNT },
  models: { ...MONTH, dimension: 'model', limit: TOP_COUNT },
} as const satisfies Readonly<Record<string, UsageQuestion>>

export const KEYS_QUESTION = { ...MONTH, dimension: 'api_key', limit: TOP_COUNT } as const

export function toDimQuestion(dimKey: string) {
  return { ...MONTH, dimension: 'dim', dim_key: dimKey, limit: TOP_COUNT } as const
}

export type OverviewQuestion =
  | (typeof OVERVIEW_QUESTIONS)[keyof typeof OVERVIEW_QUESTIONS]
  | typeof KEYS_QUESTION
  | ReturnType<typeof toDimQuestion>

const BUDGETS_AGE_MS = 60_000

/** Those near their limit are shown on the first page. */
export const budgetStatesQuery = readQuery<BudgetList>(['budgets', 'states'], '/v1/budgets', {
  refetchInterval: BUDGETS_AGE_MS,
})

export interface OverviewFigures {
  /** Undefined while loading. */
  readonly overview: Aged<Overview> | undefined
  readonly error: Error | null
  readonly retry: () => void
}

export function useOverviewFigures(chosenDim: string | undefined): OverviewFigures {
  const { data, error, isFetching, refetch } = useQuery({
    ...overviewOf(chosenDim),
    placeholderData: keepPreviousData,
  })
  // A user who comes from the first-call page must not be sent back to it.
  const isOutdated = data?.has_calls === false && isFetching
  return {
    overview: isOutdated ? undefined : data,
    error,
    retry: () => void refetch(),
  }
}

/** Rows of the page as an answer; undefined while they are loading. */
export function toAnswer(
  overview: Aged<Overview> | undefined,
  rows: readonly UsageRow[] | null | undefined,
): UsageAnswer | undefined {
  if (overview === undefined || rows === undefined || rows === null) return undefined
  return { asOf: overview.asOf, maxAgeMs: overview.maxAgeMs, rows: [...rows] }
}
