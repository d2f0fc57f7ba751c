// Budgets with their spend, for the API and the command line.

import type { AlertTarget } from '../../core/alert.ts'
import { assert } from '../../core/assert.ts'
import type { Budget } from '../../core/budget.ts'
import type { SlugOf } from '../../core/budget-index.ts'
import type { Clock } from '../../core/clock.ts'
import type { LedgerProgress } from '../../store/ledger/ledger-progress.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { ApiOptions } from '../api-options.ts'
import { byBudget, readUsualCalls } from '../../ledger/usual-call.ts'
import { toBudgetRow } from './budget-row.ts'
import type { BudgetRow } from '../contract.ts'

export interface BudgetSources {
  readonly settings: Pick<SettingsStore, 'budgets' | 'targets'>
  readonly ledgerProgress: Pick<LedgerProgress, 'budgets'>
  readonly slugOf: SlugOf
  readonly clock: Pick<Clock, 'now'>
  /** By budget id. Absent where running calls are not known. */
  readonly reservations?: ApiOptions['reservations']
}

/** For these budgets in their order; absent means all. */
export async function readBudgetRows(
  sources: BudgetSources,
  only?: readonly Budget[],
): Promise<readonly BudgetRow[]> {
  const { settings, ledgerProgress: ledgerBook, slugOf, clock } = sources
  const budgets = only ?? (await settings.budgets.list())
  if (budgets.length === 0) return []
  const targets = groupTargets(await settings.targets.list())
  const nowMs = clock.now()
  // First: a call whose lease was given back before is in what is spent.
  const running = await sources.reservations?.()
  const spends = byBudget(await ledgerBook.budgets.readSpend(budgets, { slugOf, nowMs }))
  const usuals = await readUsualCalls(
    budgets.filter(({ isBlocking }) => isBlocking),
    spends,
    { budgets: ledgerBook.budgets, nowMs },
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

function groupTargets(targets: readonly AlertTarget[]): ReadonlyMap<string, AlertTarget[]> {
  const grouped = new Map<string, AlertTarget[]>()
  for (const target of targets) {
    if (target.budgetId === null) continue
    const known = grouped.get(target.budgetId)
    if (known === undefined) grouped.set(target.budgetId, [target])
    else known.push(target)
  }
  return grouped
}
