// Calls whose answer lets its holder call the provider without Weir. With a stored credential that
// would be the way around everything a key is held to, so such keys need the right to make them. A
// caller with a credential of its own could call the provider directly, and is not asked.

import type { ApiKey } from '../core/api-key.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

/** Null lets the call go on. `isCovered` says whether a blocking budget counts what it spends. */
export function judgeDerivedToken(key: ApiKey, isCovered: () => boolean): Refusal | null {
  if (key.allowDerivedTokens) return null
  const hasPolicy = key.allowedModels.length > 0 || key.allowedProviders.length > 0
  if (!hasPolicy && !isCovered()) return null
  const why = hasPolicy ? 'has a policy' : 'is covered by a blocking budget'
  return refuse(
    'derived_token_not_allowed',
    `The answer to this call works at the provider without Weir, where nothing is counted or limited, and the key ${key.id} ${why}. Call the provider through Weir instead, or allow it with weir keys update ${key.id} --allow-derived-tokens.`,
  )
}
