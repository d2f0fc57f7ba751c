// The budgets, as commands need them.

import type { Budget } from '../../../client/weir-client.js'
import { noSuch } from '../api.ts'
import type { Api } from '../api.ts'

export function readBudgets(api: Api): Promise<readonly Budget[]> {
  return api.list('/v1/budgets')
}

/** Throws, and suggests the nearest id, when there is none. */
export function findBudget(budgets: readonly Budget[], id: string): Budget {
  const found = budgets.find((budget) => budget.id === id)
  if (found !== undefined) return found
  throw noSuch({ noun: 'budget', list: 'weir budgets list' }, id, budgets)
}
