// The figures of the first page, all asked for at once. Each is an answer of /v1/usage as it came,
// and the page is as old as the oldest of those that still change.

import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { BudgetList } from '../../../../src/api/contract.ts'
import { ask } from '../../data/api-client.ts'
import { overviewQuery } from '../../data/service.ts'
import type { Overview } from '../../../../src/api/contract.ts'
import { useCan } from '../../data/session.ts'
import { usageQuery } from '../../data/usage.ts'
import type { UsageAnswer, UsageQuestion } from '../../data/usage.ts'

const MONTH = { metric: 'cost_usd', window: 'month_to_date' } as const
export const TOP_COUNT = 5

export const OVERVIEW_QUESTIONS = {
  today: { metric: 'cost_usd', window: 'today' },
  yesterday: { metric: 'cost_usd', window: 'yesterday' },
  month: MONTH,
  lastMonth: { metric: 'cost_usd', window: 'last_month' },
  requestsToday: { metric: 'requests', window: 'today' },
  requests: { metric: 'requests', window: 'month_to_date' },
  tokens: { metric: 'tokens', window: 'month_to_date' },
  trend: { metric: 'cost_usd', window: 'last_30_days', dimension: 'day' },
  providers: { ...MONTH, dimension: 'provider', limit: TOP_COUNT },
  models: { ...MONTH, dimension: 'model', limit: TOP_COUNT },
} as const satisfies Readonly<Record<string, UsageQuestion>>

export const KEYS_QUESTION = { ...MONTH, dimension: 'api_key', limit: TOP_COUNT } as const

export function toDimQuestion(dimKey: string) {
  return { ...MONTH, dimension: 'dim', dim_key: dimKey, limit: TOP_COUNT } as const
}

export function toOverviewQuestions(
  dimKey: string | undefined,
  canReadKeys: boolean,
): readonly UsageQuestion[] {
  return [
    ...Object.values(OVERVIEW_QUESTIONS),
    ...(canReadKeys ? [KEYS_QUESTION] : []),
    ...(dimKey === undefined ? [] : [toDimQuestion(dimKey)]),
  ]
}

const BUDGETS_AGE_MS = 60_000

/** Those near their limit are shown on the first page. */
export const budgetStatesQuery = queryOptions({
  queryKey: ['budgets', 'states'],
  queryFn: ({ signal }) => ask<BudgetList>('/v1/budgets', { signal }),
  refetchInterval: BUDGETS_AGE_MS,
})

export type OverviewName = keyof typeof OVERVIEW_QUESTIONS

export interface OverviewFigures {
  /** By name; undefined while loading. */
  readonly answers: Readonly<Record<OverviewName, UsageAnswer | undefined>>
  /** Undefined while loading, or where the user may not see keys. */
  readonly keys: UsageAnswer | undefined
  /** Of the chosen dimension. */
  readonly dim: UsageAnswer | undefined
  readonly dimKey: string | undefined
  readonly overview: Overview | undefined
  /** The oldest of what still changes; null while one is loading. */
  readonly asOf: string | null
  readonly error: Error | null
  readonly retry: () => void
}

const NAMES = Object.keys(OVERVIEW_QUESTIONS) as readonly OverviewName[]

/** Periods that are over: their answers do not change. */
const CLOSED_WINDOWS: readonly UsageQuestion['window'][] = ['yesterday', 'last_month']

export function isRunning(name: OverviewName): boolean {
  return !CLOSED_WINDOWS.includes(OVERVIEW_QUESTIONS[name].window)
}

export function useOverviewFigures(chosenDim: string | undefined): OverviewFigures {
  const canReadKeys = useCan('read:keys')
  const overview = useQuery(overviewQuery)
  const isOutdated = overview.data?.has_calls === false && overview.isFetching
  const dimKey = chosenDim ?? overview.data?.dim_keys[0]
  // An answer is kept for minutes: one from before the first call would stay empty long after it.
  const hasCalls = overview.data?.has_calls === true
  const figures = useQueries({
    queries: NAMES.map((name) => ({
      ...usageQuery(OVERVIEW_QUESTIONS[name]),
      enabled: hasCalls,
    })),
  })
  const keys = useQuery({ ...usageQuery(KEYS_QUESTION), enabled: canReadKeys && hasCalls })
  const dim = useQuery({
    ...usageQuery(toDimQuestion(dimKey ?? '')),
    enabled: dimKey !== undefined,
  })
  const others = [overview, ...(canReadKeys ? [keys] : []), ...(dimKey === undefined ? [] : [dim])]
  const wanted = [...figures, ...others]
  const running = [...figures.filter((_, place) => isRunning(NAMES[place] ?? 'today')), ...others]
  const answers = Object.fromEntries(NAMES.map((name, place) => [name, figures[place]?.data]))
  return {
    answers: answers as OverviewFigures['answers'],
    keys: keys.data,
    dim: dim.data,
    dimKey,
    // A user who comes from the first-call page must not be sent back to it.
    overview: isOutdated ? undefined : overview.data,
    asOf: toOldest(running.map(({ data }) => data?.asOf)),
    error: wanted.find(({ error }) => error !== null)?.error ?? null,
    retry: () => retryFailed(wanted),
  }
}

function retryFailed(queries: readonly Pick<UseQueryResult, 'isError' | 'refetch'>[]): void {
  for (const query of queries) if (query.isError) void query.refetch()
}

/** Null while one is not known. */
export function toOldest(times: readonly (string | undefined)[]): string | null {
  let oldest: string | null = null
  for (const time of times) {
    if (time === undefined) return null
    if (oldest === null || time < oldest) oldest = time
  }
  return oldest
}
