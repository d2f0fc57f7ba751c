// A caller's key and an access token, as every room sees them. Secrets appear only as hashes.

import type { WeirErrorCode } from './weir-error.ts'

export interface ApiKey {
  /** `svc_k_…`, without the secret. */
  readonly id: string
  readonly name: string
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
  'admin',
] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

export interface AccessToken {
  readonly id: string
  readonly name: string
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

/** Why a key whose secret is right may still not be used; null when it may. */
export function keyFault(
  key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): WeirErrorCode | null {
  if (key.revokedAt !== null) return 'revoked_api_key'
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired_api_key'
  return null
}

export const CREDENTIAL_STATUSES = ['active', 'expired', 'revoked'] as const

export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number]

export function statusOf(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): CredentialStatus {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'active'
}
