// What a budget counts, as its form holds it: a kind, and a value for each kind, so that choosing
// another kind and coming back loses nothing.

import type { BudgetScope } from '../../../../src/core/budget.ts'
import { OWNER_NAMES } from '../../../../src/core/teams/team.ts'
import type { OwnerName } from '../../../../src/core/teams/team.ts'

export type ScopeKind = BudgetScope['kind'] | OwnerName

export const SCOPE_KIND_NAMES: Readonly<Record<ScopeKind, string>> = {
  global: 'All calls',
  team: 'A team',
  person: 'A person',
  dim: 'A dimension',
  api_key: 'A key',
  provider: 'A provider',
  model: 'Models',
}

export interface ScopeDraft {
  readonly kind: ScopeKind
  /** By id, or by what people call them. */
  readonly team: string
  readonly person: string
  readonly keyId: string
  readonly provider: string
  readonly model: string
  readonly dimKey: string
  readonly dimValue: string
}

export const NO_SCOPE: ScopeDraft = {
  kind: 'global',
  team: '',
  person: '',
  keyId: '',
  provider: '',
  model: '',
  dimKey: '',
  dimValue: '',
}

export function toScope(draft: ScopeDraft): string {
  switch (draft.kind) {
    case 'global':
      return 'global'
    case 'api_key':
      return `api_key=${draft.keyId.trim()}`
    case 'provider':
      return `provider=${draft.provider.trim()}`
    case 'model':
      return `model=${draft.model.trim()}`
    case 'team':
    case 'person':
      return `${draft.kind}=${draft[draft.kind].trim()}`
    case 'dim':
      return `dim:${draft.dimKey.trim()}=${draft.dimValue.trim()}`
  }
}

export function fromScope(scope: string): ScopeDraft {
  const at = scope.indexOf('=')
  const kind = scope.slice(0, at)
  const value = scope.slice(at + 1)
  const fact = OWNER_NAMES.find((each) => each === kind)
  if (fact !== undefined) return { ...NO_SCOPE, kind: fact, [fact]: value }
  if (kind === 'api_key') return { ...NO_SCOPE, kind, keyId: value }
  if (kind === 'provider') return { ...NO_SCOPE, kind, provider: value }
  if (kind === 'model') return { ...NO_SCOPE, kind, model: value }
  if (!kind.startsWith('dim:')) return NO_SCOPE
  return { ...NO_SCOPE, kind: 'dim', dimKey: kind.slice('dim:'.length), dimValue: value }
}

/** What is missing. */
export const SCOPE_FAULTS: Readonly<Record<ScopeKind, string>> = {
  global: '',
  api_key: 'Choose a key of the list.',
  provider: 'Choose a provider of the list.',
  model: 'Enter a pattern, such as openai/*.',
  team: 'Choose a team of the list.',
  person: 'Enter the address of a person.',
  dim: 'Enter the dimension and its value, such as team and search.',
}

export function isScopeOpen(scope: ScopeDraft): boolean {
  if (scope.kind === 'dim') return scope.dimKey.trim() === '' || scope.dimValue.trim() === ''
  return toScope(scope).endsWith('=')
}
