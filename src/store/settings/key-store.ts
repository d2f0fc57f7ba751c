// API keys among the settings. The store keeps the hash of a secret only, and proxies poll it for
// changes.

import type { ApiKey } from '../../core/api-key.ts'

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
  /** Calls that may run at once. */
  readonly maxParallel: number | null
}

/** The only moment at which a secret is seen; the store keeps its hash. */
export interface CreatedKey {
  readonly key: ApiKey
  /** `svc_k_….secret` */
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
