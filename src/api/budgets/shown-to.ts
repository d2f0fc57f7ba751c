// What callers see of budgets and alerts. Must stay true: read:usage shows no webhook URLs or keys,
// write:budgets no spend, and neither of them which names of the network resolve.

import { toSafeAddress } from '../../core/alert.ts'
import type { AlertTarget } from '../../core/alert.ts'
import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { PERSON_ID } from '../../core/teams/team.ts'
import type { TestResult } from '../api-options.ts'
import type { AlertRow, BudgetMemberRow, BudgetRow, ChangedBudget } from '../contract.ts'

/** Scopes and subjects that show whose keys there are. */
const OF_KEYS = ['api_key', 'person']
const HIDDEN = '…'
const NOT_DELIVERED = 'not delivered; scope admin shows why'

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
  if (canSeeKeys(caller)) return { ...row, targets }
  const scope = hideScope(row.scope)
  return { ...row, scope, scope_name: scope === row.scope ? row.scope_name : null, targets }
}

/** In the answer to a change, which takes no scope to read. */
export function toChangedBudget(row: BudgetRow, caller: Caller): ChangedBudget {
  return hasScope(caller, 'read:usage') ? row : { ...row, ...NO_SPEND }
}

const NO_SPEND = {
  spent_usd: null,
  spent_percent: null,
  is_exceeded: null,
  members: null,
  forecast_usd: null,
  forecast_from: null,
  unpriced_requests: null,
  unknown_cost_usd: null,
  running_calls: null,
  reserved_usd: null,
  overshoot_max_usd: null,
}

/** What resolves, refuses and answers inside the network is for people and for scope admin. */
export function canSeeNetwork(caller: Pick<Caller, 'kind' | 'scopes'>): boolean {
  return caller.kind === 'session' || hasScope(caller, 'admin')
}

/** A status stays: the target itself has sent it. */
export function toShownDetail({ isDelivered, detail }: TestResult, caller: Caller): string {
  const isStatus = /^\d{3}(?:$|,)/.test(detail)
  return isDelivered || isStatus || canSeeNetwork(caller) ? detail : NOT_DELIVERED
}

export function toShownAlert(row: AlertRow, caller: Caller): AlertRow {
  const deliveries = row.deliveries.map((delivery) => ({
    ...delivery,
    address:
      isToPerson(delivery) && !canSeeKeys(caller) ? HIDDEN : toShownAddress(delivery, caller),
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      detail: toShownDetail({ isDelivered: attempt.delivered, detail: attempt.detail }, caller),
    })),
  }))
  return { ...row, body: canSeeKeys(caller) ? row.body : hideKey(row.body), deliveries }
}

/** To a person and not to a target: their id is in the target's place. */
export function isToPerson(delivery: { readonly target_id: string }): boolean {
  return PERSON_ID.test(delivery.target_id)
}

/** As for dimension api_key in usage queries; those who create budgets must see their scope. */
function canSeeKeys(caller: Caller): boolean {
  return hasScope(caller, 'read:keys') || hasScope(caller, 'write:budgets')
}

export function toShownMember(row: BudgetMemberRow, caller: Caller): BudgetMemberRow {
  return canSeeKeys(caller) ? row : hideMember(row)
}

function hideMember<Member extends { readonly kind: string }>(member: Member): Member {
  const isOfKeys = member.kind === 'key' || member.kind === 'person'
  return isOfKeys ? { ...member, id: HIDDEN, name: HIDDEN } : member
}

function hideScope(scope: string): string {
  const kind = OF_KEYS.find((each) => scope.startsWith(`${each}=`))
  return kind === undefined ? scope : `${kind}=${HIDDEN}`
}

function hideKey(body: AlertRow['body']): AlertRow['body'] {
  const { recipients: _people, ...shown } = body.data
  const { budget, member, subject, subjects } = shown as {
    readonly budget?: { readonly scope: string }
    readonly member?: { readonly kind: string }
    readonly subject?: Subject
    readonly subjects?: readonly Subject[]
  }
  const isLinkOfKey = OF_KEYS.includes(subject?.kind ?? '') && 'calls_url' in shown
  const hidden = {
    ...(budget !== undefined && { budget: { ...budget, scope: hideScope(budget.scope) } }),
    ...(member !== undefined && { member: hideMember(member) }),
    ...(subject !== undefined && { subject: hideSubject(subject) }),
    ...(subjects !== undefined && { subjects: subjects.map(hideSubject) }),
    ...(isLinkOfKey && { calls_url: null }),
  }
  return { ...body, data: { ...shown, ...hidden } }
}

interface Subject {
  readonly kind: string
  readonly name: string
}

function hideSubject(subject: Subject): Subject {
  return OF_KEYS.includes(subject.kind) ? { ...subject, name: HIDDEN } : subject
}
