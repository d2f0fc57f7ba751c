// Budgets, their targets, and the log of alerts. The secret of a webhook is only in the answer of
// the mutation that made it, never in the cache.

import { useMutation } from '@tanstack/react-query'
import type {
  AlertPageAnswer,
  BudgetChange,
  BudgetList,
  BudgetMemberList,
  BudgetPeriodList,
  BudgetRow,
  NewBudget,
  NearestMemberList,
  NewTarget,
  TargetList,
  TargetRow,
  TestOutcome,
} from '../../../../src/api/contract.ts'
import { ask, toOne, toPath } from '../../data/api-client.ts'
import { ALERTS_KEY } from '../../data/alerts/incidents.ts'
import { pagesQuery, readQuery, useChange } from '../../data/queries.ts'

const BUDGETS = '/v1/budgets'
const TARGETS = '/v1/targets'
const BUDGETS_KEY = ['budgets'] as const
const TARGETS_KEY = ['targets'] as const
const BUDGETS_AGE_MS = 15_000
const ALERTS_AGE_MS = 30_000
const PAGE_ROWS = 50
const PERIODS_SHOWN = 24
const MEMBERS_SHOWN = 10

export const budgetsQuery = readQuery<BudgetList>([...BUDGETS_KEY, 'all'], BUDGETS, {
  refetchInterval: BUDGETS_AGE_MS,
})

export function budgetPeriodsQuery(id: string) {
  const path = toPath(toOne(BUDGETS, id, 'periods'), { limit: PERIODS_SHOWN })
  return readQuery<BudgetPeriodList>([...BUDGETS_KEY, 'periods', id], path)
}

/** Those who have used most of a limit that is for each. */
export function budgetMembersQuery(id: string) {
  const path = toPath(toOne(BUDGETS, id, 'members'), { limit: MEMBERS_SHOWN })
  return readQuery<BudgetMemberList>([...BUDGETS_KEY, 'members', id], path)
}

/** The same over all of them. */
export const nearestQuery = readQuery<NearestMemberList>(
  [...BUDGETS_KEY, 'nearest'],
  toPath('/v1/budget-members', { limit: PAGE_ROWS }),
)

export const targetsQuery = readQuery<TargetList>(TARGETS_KEY, TARGETS)

export const alertsQuery = pagesQuery<AlertPageAnswer>(
  [...ALERTS_KEY, 'log'],
  { path: '/v1/alerts', limit: PAGE_ROWS },
  { refetchInterval: ALERTS_AGE_MS },
)

export const useCreateBudget = () =>
  useBudgetChange((body: NewBudget) => ask<BudgetRow>(BUDGETS, { method: 'POST', body }))

/** Each at the version that its editor saw. */
export const useChangeBudget = (id: string) =>
  useBudgetChange(({ body, version }: { readonly body: BudgetChange; readonly version: number }) =>
    ask<BudgetRow>(toOne(BUDGETS, id), { method: 'PATCH', body, version }),
  )

export const useDeleteBudget = (id: string) =>
  useBudgetChange((version: number) =>
    ask<BudgetRow>(toOne(BUDGETS, id), { method: 'DELETE', version }),
  )

export function readBudget(id: string): Promise<BudgetRow> {
  return ask<BudgetRow>(toOne(BUDGETS, id))
}

interface MadeTarget {
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
    const { secret = null } = await ask<TargetRow>(TARGETS, { method: 'POST', body })
    return { ...body, secret }
  }
  const path = toOne(BUDGETS, budgetId, 'targets')
  const { webhook_secret: secret = null } = await ask<BudgetRow>(path, { method: 'POST', body })
  return { ...body, secret }
}

export const useRemoveTarget = (id: string) =>
  useBudgetChange(() => ask<TargetRow>(toOne(TARGETS, id), { method: 'DELETE' }))

export function useTestTarget(id: string) {
  return useMutation({
    mutationFn: () => ask<TestOutcome>(toOne(TARGETS, id, 'test'), { method: 'POST' }),
  })
}

/** A changed limit is evaluated at once: there may be alerts, and keys that are blocked or not. */
function useBudgetChange<Change, Answer>(change: (change: Change) => Promise<Answer>) {
  return useChange(change, BUDGETS_KEY, TARGETS_KEY, ALERTS_KEY, ['keys'], ['key-check'])
}
