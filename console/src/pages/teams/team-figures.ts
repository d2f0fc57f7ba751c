// Figures of teams for a list of them.

import type { BudgetRow } from '../../../../src/api/contract.ts'
import { toCountedPart } from '../budgets/budget-words.ts'

/** As the API writes what a budget counts. */
export function toTeamScope(teamId: string): string {
  return `team=${teamId}`
}

/** Of several the one nearest to its limit. What each has for itself is no limit of the team. */
export function findTeamBudget(
  teamId: string,
  budgets: readonly BudgetRow[],
): BudgetRow | undefined {
  return budgets
    .filter(({ scope, each }) => scope === toTeamScope(teamId) && each === 'none')
    .toSorted((one, other) => toCountedPart(other) - toCountedPart(one))[0]
}
