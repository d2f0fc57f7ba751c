// Budgets, their targets, and the log of alerts. The secret of a webhook is only in the answer of
// the mutation that made it, never in the cache.

import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  AlertPageAnswer,
  BudgetChange,
  BudgetList,
  BudgetPeriodList,
  BudgetRow,
  NewBudget,
  NewTarget,
  TargetList,
  TargetRow,
  TestOutcome,
} from '../../../../src/api/contract.ts'
import { ask, toPath } from '../../data/api-client.ts'
import { ALERTS_KEY } from '../../data/alerts/incidents.ts'

const BUDGETS_KEY = ['budgets'] as const
const TARGETS_KEY = ['targets'] as const
const BUDGETS_AGE_MS = 15_000
const ALERTS_AGE_MS = 30_000
const PAGE_ROWS = 50

export const budgetsQuery = queryOptions({
  queryKey: [...BUDGETS_KEY, 'all'],
  queryFn: ({ signal }) => ask<BudgetList>('/v1/budgets', { signal }),
  refetchInterval: BUDGETS_AGE_MS,
})

const PERIODS_SHOWN = 24

export function budgetPeriodsQuery(id: string) {
  return queryOptions({
    queryKey: [...BUDGETS_KEY, 'periods', id],
    queryFn: ({ signal }) =>
      ask<BudgetPeriodList>(toPath(`${toOne(id)}/periods`, { limit: PERIODS_SHOWN }), { signal }),
  })
}

export const targetsQuery = queryOptions({
  queryKey: TARGETS_KEY,
  queryFn: ({ signal }) => ask<TargetList>('/v1/targets', { signal }),
})

export const alertsQuery = infiniteQueryOptions({
  queryKey: [...ALERTS_KEY, 'log'],
  queryFn: ({ pageParam, signal }) =>
    ask<AlertPageAnswer>(toPath('/v1/alerts', { limit: PAGE_ROWS, cursor: pageParam }), { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next_cursor,
  refetchInterval: ALERTS_AGE_MS,
})

export const useCreateBudget = () =>
  useBudgetChange((body: NewBudget) => ask<BudgetRow>('/v1/budgets', { method: 'POST', body }))

/** Each at the version that its editor saw. */
export const useChangeBudget = (id: string) =>
  useBudgetChange(({ body, version }: { readonly body: BudgetChange; readonly version: number }) =>
    ask<BudgetRow>(toOne(id), { method: 'PATCH', body, version }),
  )

export const useDeleteBudget = (id: string) =>
  useBudgetChange((version: number) => ask<BudgetRow>(toOne(id), { method: 'DELETE', version }))

export function readBudget(id: string): Promise<BudgetRow> {
  return ask<BudgetRow>(toOne(id))
}

function toOne(id: string): string {
  return `/v1/budgets/${encodeURIComponent(id)}`
}

export interface MadeTarget {
  readonly kind: NewTarget['kind']
  readonly address: string
  /** Of webhooks only. */
  readonly secret: string | null
}

/** `budgetId` null: for alerts without a budget. */
export const useAddTarget = (budgetId: string | null) =>
  useBudgetChange((body: NewTarget) => addTarget(budgetId, body))

async function addTarget(budgetId: string | null, body: NewTarget): Promise<MadeTarget> {
  if (budgetId === null) {
    const { secret = null } = await ask<TargetRow>('/v1/targets', { method: 'POST', body })
    return { ...body, secret }
  }
  const path = `${toOne(budgetId)}/targets`
  const { webhook_secret: secret = null } = await ask<BudgetRow>(path, { method: 'POST', body })
  return { ...body, secret }
}

export const useRemoveTarget = (id: string) =>
  useBudgetChange(() =>
    ask<TargetRow>(`/v1/targets/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  )

export function useTestTarget(id: string) {
  return useMutation({
    mutationFn: () =>
      ask<TestOutcome>(`/v1/targets/${encodeURIComponent(id)}/test`, { method: 'POST' }),
  })
}

function useBudgetChange<Body, Answer>(change: (body: Body) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    // The answer may contain a secret: it is dropped with the page that shows it.
    gcTime: 0,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: BUDGETS_KEY })
      await client.invalidateQueries({ queryKey: TARGETS_KEY })
      // A changed limit is evaluated at once.
      void client.invalidateQueries({ queryKey: ALERTS_KEY })
    },
  })
}
