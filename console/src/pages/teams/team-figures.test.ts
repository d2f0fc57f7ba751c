import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { findTeamBudget } from './team-figures.ts'

test('of the budgets of a whole team the one nearest to its limit is shown', () => {
  const budgets = [
    ['bud_1', 'team=team_1', 1],
    ['bud_2', 'team=team_1', 8],
    ['bud_3', 'team=team_2', 9],
    ['bud_4', 'global', 10],
    ['bud_5', 'team=team_1', 10, 'key'],
  ].map(([id, scope, spent_usd, each = 'none']) => ({
    id,
    scope,
    each,
    spent_usd,
    limit_usd: 10,
    members: null,
  })) as BudgetRow[]
  assert.equal(findTeamBudget('team_1', budgets)?.id, 'bud_2')
  assert.equal(findTeamBudget('team_3', budgets), undefined)
})
