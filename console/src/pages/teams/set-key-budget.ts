// The budget that a team gives each of its keys.

import type { TeamAnswer, TeamKeyBudgetBody } from '../../../../src/api/contract.ts'
import { ask, toOne } from '../../data/api-client.ts'
import { useChange } from '../../data/queries.ts'

const toPlace = (teamId: string): string => toOne('/v1/teams', teamId, 'key-budget')

/** What is blocked by it is another at once. */
function useKeyBudgetChange<Change>(change: (change: Change) => Promise<TeamAnswer>) {
  return useChange(change, ['teams'], ['budgets'], ['keys'])
}

export const useSetKeyBudget = (teamId: string) =>
  useKeyBudgetChange((body: TeamKeyBudgetBody) =>
    ask<TeamAnswer>(toPlace(teamId), { method: 'POST', body }),
  )

export const useRemoveKeyBudget = (teamId: string) =>
  useKeyBudgetChange(() => ask<TeamAnswer>(toPlace(teamId), { method: 'DELETE' }))
