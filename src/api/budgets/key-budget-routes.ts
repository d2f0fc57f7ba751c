// GET /v1/keys/{id}/budgets: what limits the spend of one key.

import { hasScope } from '../../core/api-key.ts'
import { createBudgetCovers } from '../../limits/budget-cover.ts'
import { WeirError } from '../../core/weir-error.ts'
import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { KEY } from '../keys/key-routes.ts'
import { keyBudgetListSchema } from './budget-contract.ts'
import { readBudgetsOfKeys, toOwnBudget } from './budgets-of-keys.ts'
import { readBudgetRows } from './read-budgets.ts'
import { toShownBudget } from './shown-to.ts'

export const KEY_BUDGET_ROUTES: readonly ApiRoute[] = [
  routesOf('Keys')('GET /v1/keys/{id}/budgets', {
    name: 'listKeyBudgets',
    summary: 'Every budget that counts calls of a key, and what it has spent',
    description:
      'Of the key itself, of everything, of its providers and models, and of the dimensions that it locks or defaults. Needs scope read:keys as well.',
    access: withScope('read:usage'),
    sight: 'scoped',
    id: KEY,
    answer: ok('The budgets.', keyBudgetListSchema),
    handle: async ({ services, id, caller, missing }) => {
      if (!hasScope(caller, 'read:keys')) {
        throw new WeirError('scope_denied', 'The budgets of a key need a token with read:keys.')
      }
      const { key } = (await services.keyDirectory.read()).byId.get(id) ?? missing()
      const { all, isSeen } = await readBudgetsOfKeys(services)
      const covering = createBudgetCovers(all)(key)
      const covers = new Map(covering.map(({ budget, cover }) => [budget.id, cover]))
      const budgets = covering.map(({ budget }) => toOwnBudget(budget, key)).filter(isSeen)
      const rows = (await readBudgetRows(services, budgets)).map((row) => {
        return { ...toShownBudget(row, caller), covers: covers.get(row.id) ?? 'some' }
      })
      const toRank = (row: (typeof rows)[number]): number => (row.covers === 'all' ? 0 : 1)
      return {
        rows: rows.toSorted(
          (one, other) => toRank(one) - toRank(other) || other.spent_percent - one.spent_percent,
        ),
      }
    },
  }),
]
