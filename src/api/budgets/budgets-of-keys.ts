// The budgets that count calls of keys, and which of them a caller may know. Must stay true: a key
// is blocked by budgets, too, that its caller does not see.

import type { ApiKey } from '../../core/api-key.ts'
import type { Budget } from '../../core/budget.ts'
import { memberOf, toCounter } from '../../core/budgets/each-budget.ts'
import { factsOf } from '../../core/teams/team.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'

export interface BudgetsOfKeys {
  readonly all: readonly Budget[]
  readonly isSeen: (budget: Pick<Budget, 'scope' | 'each' | 'member'>) => boolean
}

export interface BudgetSources {
  readonly settings: Pick<SettingsStore, 'budgets'>
  /** Left out where the caller sees every budget. */
  readonly everyBudget?: () => Promise<BudgetsOfKeys>
}

export async function readBudgetsOfKeys({
  settings,
  everyBudget,
}: BudgetSources): Promise<BudgetsOfKeys> {
  return (await everyBudget?.()) ?? { all: await settings.budgets.list(), isSeen: () => true }
}

/** Of a rule for each, what the key's own member of it has. */
export function toOwnBudget(budget: Budget, key: ApiKey): Budget {
  const member = memberOf(budget.each, { keyId: key.id, dims: factsOf(key) })
  return member === null ? budget : toCounter(budget, member)
}
