// The figures of the first page: one answer, of one moment, by the field that was chosen. Must stay
// true: who has chosen nothing sees the same field every time.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BudgetList, Overview } from '../../../../src/api/contract.ts'
import { isField, toDimField } from '../../data/analysis/fields.ts'
import type { Aged } from '../../data/api-client.ts'
import type { OverviewSearch } from '../../data/page-search.ts'
import { readQuery } from '../../data/queries.ts'
import { overviewOf } from '../../data/service.ts'
import { NEAR_PERCENT } from '../budgets/budget-words.ts'

const BUDGETS_AGE_MS = 60_000

/** Those that the first page names; of the others it says nothing. */
export const budgetStatesQuery = readQuery<BudgetList>(
  ['budgets', 'states'],
  `/v1/budgets?min_percent=${NEAR_PERCENT}`,
  { refetchInterval: BUDGETS_AGE_MS },
)

export interface GroupingChoice {
  readonly search: OverviewSearch
  /** What was chosen the last time. */
  readonly kept: string | undefined
  readonly canReadKeys: boolean
}

/** That of the address, or that of the last time; undefined for the API's own. */
export function chooseGrouping({ search, kept, canReadKeys }: GroupingChoice): string | undefined {
  const { group_by, dim } = search
  // An address of before names a dimension.
  const asked = group_by ?? (dim === undefined ? kept : toDimField(dim))
  const isKnown = asked !== undefined && isField(asked)
  return isKnown && (asked !== 'api_key' || canReadKeys) ? asked : undefined
}

export interface OverviewFigures {
  /** Undefined while loading. */
  readonly overview: Aged<Overview> | undefined
  readonly error: Error | null
  readonly retry: () => void
}

export function useOverviewFigures(groupBy: string | undefined): OverviewFigures {
  const { data, error, isFetching, refetch } = useQuery({
    ...overviewOf(groupBy),
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
