// What callers see of budgets and alerts. Must stay true: read:usage shows no webhook URLs or keys.

import { toSafeAddress } from '../../core/alert.ts'
import type { AlertTarget } from '../../core/alert.ts'
import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import type { AlertRow, BudgetRow } from '../contract.ts'

const KEY_SCOPE = 'api_key='
const HIDDEN = '…'

export function toShownAddress(
  target: Pick<AlertTarget, 'kind' | 'address'>,
  caller: Caller,
): string {
  return hasScope(caller, 'write:budgets') ? target.address : toSafeAddress(target)
}

export function toShownBudget(row: BudgetRow, caller: Caller): BudgetRow {
  const targets = row.targets.map((target) => ({
    ...target,
    address: toShownAddress(target, caller),
  }))
  return { ...row, scope: canSeeKeys(caller) ? row.scope : hideScope(row.scope), targets }
}

export function toShownAlert(row: AlertRow, caller: Caller): AlertRow {
  const deliveries = row.deliveries.map((delivery) => ({
    ...delivery,
    address: toShownAddress(delivery, caller),
  }))
  return { ...row, body: canSeeKeys(caller) ? row.body : hideKey(row.body), deliveries }
}

/** As for dimension api_key in usage queries; those who create budgets must see their scope. */
function canSeeKeys(caller: Caller): boolean {
  return hasScope(caller, 'read:keys') || hasScope(caller, 'write:budgets')
}

function hideScope(scope: string): string {
  return scope.startsWith(KEY_SCOPE) ? `${KEY_SCOPE}${HIDDEN}` : scope
}

function hideKey(body: AlertRow['body']): AlertRow['body'] {
  const { budget, subject } = body.data as {
    readonly budget?: { readonly scope: string }
    readonly subject?: { readonly kind: string }
  }
  const hidden = {
    ...(budget !== undefined && { budget: { ...budget, scope: hideScope(budget.scope) } }),
    ...(subject?.kind === 'api_key' && { subject: { ...subject, name: HIDDEN } }),
  }
  return { ...body, data: { ...body.data, ...hidden } }
}
