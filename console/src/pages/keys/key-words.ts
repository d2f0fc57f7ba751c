// What a key may do, in a few words for a row of a list.

import type { KeyAnswer, KeyRow, ProviderHealth, TeamAnswer } from '../../../../src/api/contract.ts'
import { formatCount, formatCounted } from '../../data/format-count.ts'

/** `All models`, `openai/*`, `openai/* and 3 more`; with the providers where limited. */
export function toPolicyWords(
  key: Pick<KeyAnswer, 'allowed_models' | 'allowed_providers'>,
): string {
  const models = toList(key.allowed_models)
  const providers = toList(key.allowed_providers)
  if (models === null) return providers === null ? 'All models' : `All models of ${providers}`
  return providers === null ? models : `${models}, by ${providers}`
}

function toList(words: readonly string[]): string | null {
  const [first] = words
  if (first === undefined) return null
  return words.length === 1 ? first : `${first} and ${words.length - 1} more`
}

/** `Stored credentials of openai and 1 more, derived tokens`; null without. */
export function toCredentialWords(
  key: Pick<KeyAnswer, 'use_credentials' | 'allow_derived_tokens'>,
): string | null {
  const providers = toList(key.use_credentials)
  if (providers === null) return null
  return `Stored credentials of ${providers}${key.allow_derived_tokens ? ', derived tokens' : ''}`
}

/** A warning of those for which none is stored; null without one, or where that is not known. */
export function toMissingCredentials(
  chosen: readonly string[],
  providers: readonly Pick<ProviderHealth, 'id' | 'has_credential'>[] | null,
): string | null {
  const stored = new Set(providers?.flatMap((each) => (each.has_credential ? [each.id] : [])))
  const missing = providers === null ? [] : chosen.filter((id) => !stored.has(id))
  if (missing.length === 0) return null
  return `No credential is stored for ${missing.join(', ')} yet: set it in the configuration of Weir.`
}

/** `Budget Search team used up`, `2 budgets used up`. */
export function toUsedUpWords({ used_up: [first, ...more] }: KeyRow['state']): string {
  if (first === undefined) return ''
  return more.length === 0 ? `Budget ${first.name} used up` : `${more.length + 1} budgets used up`
}

/** `At most 60 per minute, 4 in parallel; 2 budgets` */
export function toLimitWords(
  key: Pick<KeyRow, 'rate_limit_rpm' | 'max_parallel'> & {
    readonly state: { readonly budgets: number }
  },
): string {
  const words = [
    key.rate_limit_rpm === null ? null : `${formatCount(key.rate_limit_rpm)} per minute`,
    key.max_parallel === null ? null : `${formatCount(key.max_parallel)} in parallel`,
  ].filter((word) => word !== null)
  const { budgets } = key.state
  const limits = words.length === 0 ? [] : [`At most ${words.join(', ')}`]
  const all = [...limits, ...(budgets === 0 ? [] : [formatCounted(budgets, 'budget')])]
  return all.length === 0 ? 'No limits' : all.join('; ')
}

/** `Its keys: openai/*, at most 600 calls a minute, for 90 days.` Null where it limits nothing. */
export function toTeamLimitWords(team: TeamAnswer): string | null {
  const { required_dims: dims, rate_limit_rpm: rpm, key_days_max: days } = team
  const isOpen = team.allowed_models.length + team.allowed_providers.length === 0
  const words = [
    isOpen ? null : toPolicyWords(team),
    rpm === null ? null : `at most ${formatCount(rpm)} calls per minute`,
    days === null ? null : `for ${formatCounted(days, 'day')}`,
    dims.length === 0 ? null : `with ${dims.join(', ')} on each call`,
  ].filter((word) => word !== null)
  return words.length === 0 ? null : `Within its limits: ${words.join('; ')}.`
}

/** With the name of an owner who is a user; who looks after it, where they cannot sign in. */
export function toOwnerWords(
  row: Pick<KeyRow, 'owner' | 'owner_id' | 'owner_name' | 'looked_after_by'>,
): string | null {
  const { owner, owner_id: id, owner_name: name, looked_after_by: keepers } = row
  if (owner === null || id === null) return owner
  if (keepers.includes(owner.toLowerCase())) return `${name ?? ''} (${owner})`
  const others = keepers.length === 0 ? 'nobody' : keepers.join(', ')
  return `${owner}, who cannot sign in: looked after by ${others}`
}
