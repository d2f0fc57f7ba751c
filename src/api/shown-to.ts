// What a token is shown of budgets, targets and alerts. Must stay true: who may only read usage learns neither what would
// let them post to a target, nor which keys there are.

import type { AlertTarget } from '../core/alert.ts'
import { hasScope } from '../core/api-key.ts'
import type { AccessToken } from '../core/api-key.ts'
import type { AlertRow, BudgetRow } from './contract.ts'

const KEY_SCOPE = 'api_key='
/** In place of what is not shown. */
const HIDDEN = '…'

export function toShownAddress(
  { kind, address }: Pick<AlertTarget, 'kind' | 'address'>,
  token: AccessToken,
): string {
  if (kind === 'email' || hasScope(token, 'write:budgets')) return address
  // Slack's addresses, and those of many others, hold their secret in the path or the query.
  const origin = URL.parse(address)?.origin ?? ''
  return `${origin}/${HIDDEN}`
}

export function toShownBudget(row: BudgetRow, token: AccessToken): BudgetRow {
  const targets = row.targets.map((target) => ({
    ...target,
    address: toShownAddress(target, token),
  }))
  return { ...row, scope: canSeeKeys(token) ? row.scope : hideScope(row.scope), targets }
}

export function toShownAlert(row: AlertRow, token: AccessToken): AlertRow {
  const deliveries = row.deliveries.map((delivery) => ({
    ...delivery,
    address: toShownAddress(delivery, token),
  }))
  return { ...row, body: canSeeKeys(token) ? row.body : hideKey(row.body), deliveries }
}

/** As for dimension api_key of the usage query. Who makes budgets has to know what they are for. */
function canSeeKeys(token: AccessToken): boolean {
  return hasScope(token, 'read:keys') || hasScope(token, 'write:budgets')
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
