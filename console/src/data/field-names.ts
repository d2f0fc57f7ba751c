// What the API calls the parts of a key, a team, a budget or a user, in the words of the forms.
// Must stay true: a name that is not known here is shown as it is, so that nothing is hidden.

import { BUDGET_FIELDS } from '../../../src/resources/budget.ts'
import type { Fields } from '../../../src/resources/field.ts'
import { KEY_FIELDS } from '../../../src/resources/key.ts'
import { TEAM_FIELDS } from '../../../src/resources/team.ts'

const NAMES: Readonly<Record<string, string>> = {
  ...labelsOf(TEAM_FIELDS),
  ...labelsOf(KEY_FIELDS),
  ...labelsOf(BUDGET_FIELDS),
  revoked_at: 'Revoked',
  paused_at: 'Paused',
  archived_at: 'Archived',
  old_secret_ends_at: 'Old secret ends',
  effective_from: 'Effective from',
  published_at: 'Published',
  excess_usd: 'Above the usual',
  budget_id: 'Budget',
  has_password: 'Has a password',
  is_disabled: 'Disabled',
  oidc_issuer: 'Identity provider',
  oidc_subject: 'Subject there',
  agent: 'Browser',
}

export function toFieldName(id: string): string {
  return Object.hasOwn(NAMES, id) ? (NAMES[id] ?? id) : toName(id)
}

/** `effective_from` as `Effective from`. */
function toName(id: string): string {
  const words = id.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

function labelsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]))
}
