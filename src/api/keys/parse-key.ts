// From checked bodies to keys and tokens. Must stay true: what expires does so in the future.

import type { z } from 'zod'
import { TOKEN_SCOPES } from '../../core/api-key.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { OPEN_KEY } from '../../core/key-rules.ts'
import type { KeySettings } from '../../store/settings/key-store.ts'
import type { keyChangeSchema, newKeySchema, newTokenSchema } from '../contract.ts'
import { invalidParameter } from '../invalid-parameter.ts'

type KeyChange = z.output<typeof keyChangeSchema>

/** Throws `invalid_parameter` where it has expired already. */
export function toKeySettings(given: z.output<typeof newKeySchema>, nowMs: number): KeySettings {
  return { ...OPEN_KEY, ...toSettings(given, nowMs), name: given.name }
}

/** Throws `invalid_parameter`, also for an empty change. */
export function toKeyChange(given: KeyChange, nowMs: number): Partial<KeySettings> {
  if (Object.keys(given).length === 0) {
    throw invalidParameter('The body changes nothing: give at least one member.')
  }
  return toSettings(given, nowMs)
}

function toSettings(given: KeyChange, nowMs: number): Partial<KeySettings> {
  const { name, owner, note } = given
  const { allowed_models: models, allowed_providers: providers } = given
  const { use_credentials: credentials, allow_derived_tokens: allowDerivedTokens } = given
  const { default_dims: defaultDims, locked_dims: lockedDims, required_dims: required } = given
  const { rate_limit_rpm: rpm, max_parallel: parallel, expires_at: expiry } = given
  return {
    ...(name !== undefined && { name }),
    ...(owner !== undefined && { owner }),
    ...(note !== undefined && { note }),
    ...(models !== undefined && { allowedModels: [...new Set(models)] }),
    ...(providers !== undefined && { allowedProviders: [...new Set(providers)] }),
    ...(credentials !== undefined && { useCredentials: [...new Set(credentials)] }),
    ...(allowDerivedTokens !== undefined && { allowDerivedTokens }),
    ...(defaultDims !== undefined && { defaultDims }),
    ...(lockedDims !== undefined && { lockedDims }),
    ...(required !== undefined && { requiredDims: [...new Set(required)] }),
    ...(rpm !== undefined && { rateLimitRpm: rpm }),
    ...(parallel !== undefined && { maxParallel: parallel }),
    ...(expiry !== undefined && { expiresAt: toExpiry(expiry, nowMs) }),
  }
}

export interface TokenSettings {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly expiresAt: number | null
}

export function toTokenSettings(
  given: z.output<typeof newTokenSchema>,
  nowMs: number,
): TokenSettings {
  const { name, scopes, expires_at: expiry = null } = given
  return {
    name,
    scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
    expiresAt: toExpiry(expiry, nowMs),
  }
}

/** The past is refused: such a key could never be used. */
function toExpiry(written: string | null, nowMs: number): number | null {
  if (written === null) return null
  const expiresAt = Date.parse(written)
  if (expiresAt > nowMs) return expiresAt
  throw invalidParameter('The body is refused: expires_at must be a moment that is still to come.')
}
