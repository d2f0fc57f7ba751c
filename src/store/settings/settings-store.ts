// The settings store: API keys, access tokens, and the one-time code of the first administrator.
// Several processes use it at once; a change is seen by every one of them through readKeyChanges.

import type { AccessToken, ApiKey, TokenScope } from '../../core/api-key.ts'

/** What an administrator decides about a key; the rest is the store's. */
export interface KeySettings {
  readonly name: string
  readonly expiresAt: number | null
  readonly allowedModels: readonly string[]
  readonly allowedProviders: readonly string[]
  readonly defaultDims: Readonly<Record<string, string>>
  readonly lockedDims: Readonly<Record<string, string>>
  readonly requiredDims: readonly string[]
  readonly rateLimitRpm: number | null
}

/** The only moment at which a secret is seen; the store keeps its hash. */
export interface CreatedKey {
  readonly key: ApiKey
  /** `svc_k_….secret` */
  readonly credential: string
}

export interface CreatedToken {
  readonly token: AccessToken
  /** `svc_agt_….secret` */
  readonly credential: string
}

export interface KeyChanges {
  /** To be handed to the next call. */
  readonly revision: number
  /** Keys created or changed since the given revision. */
  readonly keys: readonly ApiKey[]
}

export interface KeyStore {
  create(settings: KeySettings): Promise<CreatedKey>
  list(): Promise<readonly ApiKey[]>
  /** Null when there is no such key; likewise below. */
  update(id: string, change: Partial<KeySettings>): Promise<ApiKey | null>
  /** A new secret under the same id; the old one ends at once. */
  rotate(id: string): Promise<CreatedKey | null>
  /** Revoking twice keeps the first moment. */
  revoke(id: string): Promise<ApiKey | null>
  /** Everything since a revision; 0 for all. Cheap when nothing changed: it is polled. */
  readChanges(revision: number): Promise<KeyChanges>
}

export interface TokenStore {
  create(settings: {
    readonly name: string
    readonly scopes: readonly TokenScope[]
    readonly expiresAt: number | null
  }): Promise<CreatedToken>
  list(): Promise<readonly AccessToken[]>
  find(id: string): Promise<AccessToken | null>
  revoke(id: string): Promise<AccessToken | null>
  /** Kept to the minute, so that polling does not mean writing. */
  touch(id: string): Promise<void>
}

export interface SettingsStore {
  readonly keys: KeyStore
  readonly tokens: TokenStore
  /** The one-time code with which the first administrator is made; null when one was ever given out. */
  createSetupCode(): Promise<string | null>
  /** Spends the code for an administrator's token; null when it is wrong or was spent. */
  redeemSetupCode(code: string): Promise<CreatedToken | null>
  /** A fault in one sentence, or null. */
  check(): Promise<string | null>
  close(): Promise<void>
}
