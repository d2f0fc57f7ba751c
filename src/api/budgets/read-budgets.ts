// Budgets with their spend.

import { assert } from '../../core/assert.ts'
import type { Budget } from '../../core/budget.ts'
import type { ApiOptions } from '../api-options.ts'
import { byBudget, readUsualCalls } from '../../ledger/usual-call.ts'
import { toBudgetRow } from './budget-row.ts'
import type { BudgetRow } from '../contract.ts'

type BudgetSources = Pick<
  ApiOptions,
  'settings' | 'ledgerProgress' | 'slugOf' | 'clock' | 'reservations'
>

/** For these budgets in their order; absent means all. */
export async function readBudgetRows(
  sources: BudgetSources,
  only?: readonly Budget[],
): Promise<readonly BudgetRow[]> {
  const { settings, ledgerProgress, slugOf, clock } = sources
  const budgets = only ?? (await settings.budgets.list())
  if (budgets.length === 0) return []
  const targets = Map.groupBy(await settings.targets.list(), ({ budgetId }) => budgetId)
  const nowMs = clock.now()
  // First: a call whose lease was given back before is in what is spent.
  const running = await sources.reservations?.()
  const spends = byBudget(await ledgerProgress.budgets.readSpend(budgets, { slugOf, nowMs }))
  const usuals = await readUsualCalls(
    budgets.filter(({ isBlocking }) => isBlocking),
    spends,
    { budgets: ledgerProgress.budgets, nowMs },
  )
  return budgets.map((budget) => {
    const spend = spends.get(budget.id)
    assert(spend !== undefined, `nothing was read of budget ${budget.id}`)
    return toBudgetRow({
      budget,
      spend,
      usual: usuals.get(budget.id) ?? null,
      targets: targets.get(budget.id) ?? [],
      reservations: running?.get(budget.id) ?? null,
      nowMs,
    })
  })
}
