// A budget's scope as text, for the command line, the API and the webhooks: `global`,
// `api_key=svc_k_…`, `provider=openai`, `model=openai/*`, `team=…`, `person=…`, `dim:env=prod`. A
// team or a person may be written by what people call them; the API puts the id in its place.

import type { BudgetScope } from './budget.ts'
import { dimKeyFault, dimValueFault } from './dims.ts'
import { OWNERS, ownerNameOf, PERSON_ID, TEAM_ID, TEAM_SLUG } from './teams/team.ts'
import { EMAIL } from './user.ts'

const KEY_ID = /^svc_k_[a-z0-9]{8,32}$/
const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
const PATTERN = /^[\x21-\x7e]{1,200}$/

export const SCOPE_FORMS =
  'global, api_key=ID, provider=ID, model=PATTERN, team=ID, person=ID or dim:KEY=VALUE'

export function formatScope(scope: BudgetScope): string {
  switch (scope.kind) {
    case 'global':
      return 'global'
    case 'api_key':
      return `api_key=${scope.keyId}`
    case 'provider':
      return `provider=${scope.providerId}`
    case 'model':
      return `model=${scope.pattern}`
    case 'dim':
      return `${ownerNameOf(scope.key) ?? `dim:${scope.key}`}=${scope.value}`
  }
}

export type ParsedScope = { readonly scope: BudgetScope } | { readonly fault: string }

export function parseScope(text: string): ParsedScope {
  if (text === 'global') return { scope: { kind: 'global' } }
  const at = text.indexOf('=')
  if (at === -1) return { fault: `it must be ${SCOPE_FORMS}` }
  const [kind, value] = [text.slice(0, at), text.slice(at + 1)]
  if (kind === 'api_key') {
    return KEY_ID.test(value)
      ? { scope: { kind, keyId: value } }
      : { fault: 'api_key= takes the id of a key, svc_k_…, without its secret' }
  }
  if (kind === 'provider') {
    return PROVIDER_ID.test(value)
      ? { scope: { kind, providerId: value } }
      : { fault: 'provider= takes the provider id, the word after /v1/ in the proxy URL' }
  }
  if (kind === 'model') {
    return PATTERN.test(value)
      ? { scope: { kind, pattern: value } }
      : { fault: 'model= takes a pattern of 1 to 200 printable characters, such as openai/*' }
  }
  if (kind === 'team') {
    return TEAM_ID.test(value) || TEAM_SLUG.test(value)
      ? { scope: { kind: 'dim', key: OWNERS.team, value } }
      : { fault: 'team= takes the id or the short name of a team' }
  }
  if (kind === 'person') {
    return PERSON_ID.test(value) || EMAIL.test(value)
      ? { scope: { kind: 'dim', key: OWNERS.person, value } }
      : { fault: 'person= takes the id or the address of a user' }
  }
  if (!kind.startsWith('dim:')) return { fault: `it must be ${SCOPE_FORMS}` }
  const key = kind.slice('dim:'.length)
  const fault = dimKeyFault(key) ?? dimValueFault(value)
  return fault === null ? { scope: { kind: 'dim', key, value } } : { fault }
}
