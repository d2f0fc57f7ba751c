// A caller's key and an access token, as every room sees them. Secrets appear only as hashes.

export interface ApiKey {
  /** `svc_k_…`, without the secret. */
  readonly id: string
  readonly name: string
  /** The team that its calls are booked to; null: nobody's. */
  readonly teamId: string | null
  /** The person whose key it is; null: a service's. */
  readonly personId: string | null
  /** Whom to ask about it, and what they should know: for people alone. */
  readonly owner: string | null
  readonly note: string | null
  /** Where its spend is booked. */
  readonly costCenter: string | null
  readonly secretHash: string
  /** The secret before a rotation, and until when it works as well; null without one. */
  readonly oldSecret: OldSecret | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Null while calls are let in. A state, not a setting: pausing and resuming change it. */
  readonly pausedAt: number | null
  /** Patterns `[provider:]slug`; empty means every model. */
  readonly allowedModels: readonly string[]
  /** Provider ids; empty means every provider. */
  readonly allowedProviders: readonly string[]
  /** Providers whose stored credential its calls may use. */
  readonly useCredentials: readonly string[]
  /** With these it may make tokens that work without Weir, whatever policy and budgets it has. */
  readonly allowDerivedTokens: boolean
  /** Defaults; the dimensions of the request take precedence. */
  readonly defaultDims: Readonly<Record<string, string>>
  /** Take precedence over the dimensions of the request. */
  readonly lockedDims: Readonly<Record<string, string>>
  readonly requiredDims: readonly string[]
  readonly rateLimitRpm: number | null
  readonly maxParallel: number | null
  /** Rises with every change. */
  readonly version: number
}

export interface OldSecret {
  readonly hash: string
  readonly endsAt: number
}

/** Null once it has ended. */
export function oldSecretOf({ oldSecret }: ApiKey, nowMs: number): OldSecret | null {
  return oldSecret !== null && oldSecret.endsAt > nowMs ? oldSecret : null
}

export const TOKEN_SCOPES = [
  'read:usage',
  'read:keys',
  'read:requests',
  'write:keys',
  'write:budgets',
  'write:prices',
  'scim',
  'admin',
] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

export interface AccessToken {
  readonly id: string
  readonly name: string
  /** It sees nothing but this team; null: the whole company. */
  readonly teamId: string | null
  readonly secretHash: string
  readonly scopes: readonly TokenScope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** Scope `admin` includes all the others. */
export function hasScope(
  { scopes }: { readonly scopes: readonly TokenScope[] },
  scope: TokenScope,
): boolean {
  return scopes.includes(scope) || scopes.includes('admin')
}

type KeyMoments = Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'pausedAt'>
export type KeyFault = 'revoked_api_key' | 'expired_api_key' | 'key_paused'

/** Why a key whose secret is right may still not be used; null when it may. */
export function keyFault(key: KeyMoments, nowMs: number): KeyFault | null {
  if (key.revokedAt !== null) return 'revoked_api_key'
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired_api_key'
  return key.pausedAt === null ? null : 'key_paused'
}

export const TOKEN_STATUSES = ['active', 'expired', 'revoked'] as const
export const KEY_STATUSES = ['active', 'paused', 'expired', 'revoked'] as const

/** As a key is shown: blocked where budgets that are used up cover every call. */
export const SHOWN_KEY_STATUSES = ['active', 'blocked', 'paused', 'expired', 'revoked'] as const

const FAULTED = {
  revoked_api_key: 'revoked',
  expired_api_key: 'expired',
  key_paused: 'paused',
} as const satisfies Record<KeyFault, string>

export function keyStatusOf(key: KeyMoments, nowMs: number): (typeof KEY_STATUSES)[number] {
  const fault = keyFault(key, nowMs)
  return fault === null ? 'active' : FAULTED[fault]
}

export function tokenStatusOf(
  { revokedAt, expiresAt }: Pick<AccessToken, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): (typeof TOKEN_STATUSES)[number] {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'active'
}
