// Budgets with their spend.

import { assert } from '../../core/assert.ts'
import type { Budget } from '../../core/budget.ts'
import { isRule, ruleIdOf } from '../../core/budgets/each-budget.ts'
import { ownerNameOf } from '../../core/teams/team.ts'
import type { OwnerName } from '../../core/teams/team.ts'
import type { ApiServices } from '../api-options.ts'
import { nameOf, readNames } from '../known-names.ts'
import type { KnownNames } from '../known-names.ts'
import { byBudget, readCounterStates, readUsualCalls } from '../../ledger/usual-call.ts'
import { NEAR_PERCENT } from './budget-contract.ts'
import { toBudgetRow } from './budget-row.ts'
import type { BudgetRow } from '../contract.ts'

type BudgetSources = Pick<
  ApiServices,
  | 'settings'
  | 'keyDirectory'
  | 'teamDirectory'
  | 'ledgerProgress'
  | 'slugOf'
  | 'clock'
  | 'reservations'
>

/** For these budgets in their order; absent means all. */
export async function readBudgetRows(
  sources: BudgetSources,
  only?: readonly Budget[],
): Promise<readonly BudgetRow[]> {
  const { settings, ledgerProgress, slugOf, clock } = sources
  const budgets = only ?? (await settings.budgets.list())
  if (budgets.length === 0) return []
  const names = await readNames(sources, listFacts(budgets))
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
  const asked = { budgets: ledgerProgress.budgets, slugOf, nowMs }
  const near = { percentMin: NEAR_PERCENT }
  const counters = await readCounterStates(budgets.filter(isRule), asked, near)
  const byRule = Map.groupBy(counters.states, ({ budget }) => ruleIdOf(budget.id))
  return budgets.map((budget) => {
    const spend = spends.get(budget.id)
    assert(spend !== undefined, `nothing was read of budget ${budget.id}`)
    return toBudgetRow({
      budget,
      scopeName: toScopeName(budget, names),
      spend,
      usual: usuals.get(budget.id) ?? null,
      targets: targets.get(ruleIdOf(budget.id)) ?? [],
      reservations: running?.get(budget.id) ?? null,
      counters: isRule(budget) ? (byRule.get(budget.id) ?? []) : null,
      spending: counters.counts.get(budget.id) ?? 0,
      nowMs,
    })
  })
}

/** Mostly none: then no names are read. */
function listFacts(budgets: readonly Budget[]): readonly OwnerName[] {
  const facts = budgets.map(({ scope }) => (scope.kind === 'dim' ? ownerNameOf(scope.key) : null))
  return [...new Set(facts.filter((fact) => fact !== null))]
}

function toScopeName({ scope }: Budget, names: KnownNames): string | null {
  return scope.kind === 'dim' && ownerNameOf(scope.key) !== null ? nameOf(scope.value, names) : null
}
