// The entries of the audit log in words. Must stay true: a name that is not known here is shown as
// it is, so that no change is hidden.

import type { AuditRow } from '../../../../src/api/contract.ts'
import { toFieldName } from '../../data/field-names.ts'
import { formatTime } from '../../data/format-time.ts'
import { formatExactUsd } from '../../data/format-usd.ts'

type AuditAction = AuditRow['action']

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'key.create': 'Created the API key',
  'key.update': 'Changed the API key',
  'key.rotate': 'Rotated the API key',
  'key.end_grace': 'Ended the old secret of the API key',
  'key.pause': 'Paused the API key',
  'key.resume': 'Resumed the API key',
  'key.revoke': 'Revoked the API key',
  'token.create': 'Created the access token',
  'token.revoke': 'Revoked the access token',
  'budget.create': 'Created the budget',
  'budget.update': 'Changed the budget',
  'budget.delete': 'Deleted the budget',
  'target.create': 'Added the alert target',
  'target.delete': 'Removed the alert target',
  'alert.acknowledge': 'Acknowledged the unusual spend of',
  'alert.snooze': 'Snoozed the unusual spend of',
  'alert.reopen': 'Reopened the unusual spend of',
  'price.set': 'Set a price for',
  'price.unset': 'Removed the price for',
  'price.import': 'Imported price data',
  'usage.reprice': 'Repriced past calls',
  'team.adopt': 'Made teams out of the dimension',
  'team.create': 'Created the team',
  'team.update': 'Changed the team',
  'team.archive': 'Archived the team',
  'team.restore': 'Restored the team',
  'team.join': 'Took someone into the team',
  'team.leave': 'Took someone out of the team',
  'ask.create': 'Asked for more',
  'ask.approve': 'Approved an ask',
  'ask.decline': 'Declined an ask',
  'ask.close': 'Closed an ask',
  'user.create': 'Added the user',
  'user.update': 'Changed the user',
  'user.delete': 'Removed the user',
  'user.link': 'Created a sign-in link for',
  'user.password': 'Set the password of',
  'group.create': 'Added the directory’s group',
  'group.update': 'Changed the directory’s group',
  'group.delete': 'Removed the directory’s group',
  'view.create': 'Saved the view',
  'view.update': 'Changed the view',
  'view.delete': 'Deleted the view',
  'session.begin': 'Signed in as',
  'session.refuse': 'Refused sign-in for',
  'session.end': 'Ended a session of',
}

export function toActionWords(action: AuditAction): string {
  return ACTIONS[action] ?? action
}

/** Those of a kind of thing, or all. */
export function listActions(noun: string | undefined) {
  const names = Object.keys(ACTIONS).filter(
    (name) => noun === undefined || name.startsWith(`${noun}.`),
  )
  return names.map((value) => ({ value, label: toActionWords(value as AuditAction) }))
}

/** What the log can be filtered by. */
export const AUDIT_NOUNS = [
  { value: 'key', label: 'API keys' },
  { value: 'token', label: 'Access tokens' },
  { value: 'budget', label: 'Budgets' },
  { value: 'target', label: 'Alert targets' },
  { value: 'alert', label: 'Alerts' },
  { value: 'price', label: 'Prices' },
  { value: 'usage', label: 'Repricing' },
  { value: 'team', label: 'Teams' },
  { value: 'user', label: 'Users' },
  { value: 'view', label: 'Saved views' },
  { value: 'session', label: 'Sign-ins' },
] as const

export const ACTOR_WORDS: Readonly<Record<AuditRow['actor']['kind'], string>> = {
  user: 'in the console',
  token: 'access token',
  command: 'command line',
  system: 'Weir itself',
}

const SUBJECT_PAGES: Readonly<Record<string, string>> = {
  token: '/tokens',
  target: '/budgets?tab=targets',
  alert: '/budgets?tab=alerts',
  price: '/prices?tab=overrides',
  user: '/settings?tab=users',
}

/** The page of what was changed; null without one. */
export function toSubjectPage({ action, subject }: AuditRow): string | null {
  if (subject.id === null) return null
  const noun = action.slice(0, action.indexOf('.'))
  if (noun === 'key' || noun === 'team') return `/${noun}s/${encodeURIComponent(subject.id)}`
  if (noun === 'budget') return `/budgets#${subject.id}`
  return SUBJECT_PAGES[noun] ?? null
}

export interface ChangeWords {
  readonly id: string
  readonly name: string
  /** Null where there was nothing before. */
  readonly before: string | null
  /** Null where it was removed. */
  readonly after: string | null
}

export function toChangeWords(changes: AuditRow['changes']): readonly ChangeWords[] {
  return Object.entries(changes).map(([id, { before, after }]) => ({
    id,
    name: toFieldName(id),
    before: before === undefined ? null : toValueWords(id, before),
    after: after === undefined ? null : toValueWords(id, after),
  }))
}

const USD_NAMES: ReadonlySet<string> = new Set(['limit_usd', 'excess_usd'])
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

export function toValueWords(id: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (MOMENT.test(value) && !Number.isNaN(Date.parse(value))) return formatTime(value)
    return USD_NAMES.has(id) && /^\d+(?:\.\d+)?$/.test(value) ? formatExactUsd(value) : value
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => toValueWords(id, item))
    return items.length === 0 ? 'none' : items.join(', ')
  }
  if (typeof value === 'object') return toPairs(value)
  const text = JSON.stringify(value)
  return id === 'thresholds' ? `${text} %` : text
}

/** A dimension as `team=search`, an alert target as `webhook https://…`. */
function toPairs(value: object): string {
  const entries = Object.entries(value)
  if (entries.length === 0) return 'none'
  if ('kind' in value && 'address' in value) return `${String(value.kind)} ${String(value.address)}`
  return entries.map(([name, part]) => `${name}=${toPart(part)}`).join(', ')
}

function toPart(part: unknown): string {
  return typeof part === 'object' && part !== null ? JSON.stringify(part) : String(part)
}
