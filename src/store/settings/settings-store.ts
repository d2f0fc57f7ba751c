// The settings store: API keys, access tokens, prices, budgets, the log of alerts, users with their sessions and the
// audit log, the one-time code of the first administrator, and the answers that all API processes share for a while.
// Several processes use it at once; a change is seen by every one of them through readKeyChanges.

import type { AccessToken, ApiKey, TokenScope } from '../../core/api-key.ts'
import type { NewPriceRule, PriceRule } from '../../core/price-rule.ts'
import type { Actor, User } from '../../core/user.ts'
import type { AuditStore, NewUser, SessionStore, UserStore } from './account-store.ts'
import type { AlertStore, TargetStore } from './alert-store.ts'
import type { BudgetStore } from './budget-store.ts'

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

/** A token's last use is written at most this often. */
export const TOUCH_INTERVAL_MS = 60_000

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

/** Of the text of imported price data. */
export const IMPORT_BYTES_MAX = 16_777_216

/** Price data that an operator brought; the file's own text, checked before it came here. */
export interface ImportedPrices {
  /** As the file calls itself. */
  readonly version: string
  readonly publishedAt: number
  readonly text: string
  readonly importedAt: number
  readonly who: string
}

export interface PriceSettings {
  /** To be handed to the next call of readChanges. */
  readonly revision: number
  readonly rules: readonly PriceRule[]
  readonly imported: ImportedPrices | null
}

export interface PriceStore {
  /** A rule for the same provider, model, tier and moment takes the place of the one that was there. */
  set(rule: NewPriceRule): Promise<PriceRule>
  /** Null when there is no such rule. */
  remove(id: string): Promise<PriceRule | null>
  /** Takes the place of what was imported before; null removes it. */
  putImport(imported: Omit<ImportedPrices, 'importedAt'> | null): Promise<void>
  read(): Promise<PriceSettings>
  /** Null when nothing changed since the revision. Cheap then: it is polled. */
  readChanges(revision: number): Promise<PriceSettings | null>
}

/** An answer that is kept for a while, so that whoever asks the same meanwhile is given the same. */
export interface Snapshot {
  /** What was asked, all of it. */
  readonly identity: string
  readonly takenAt: number
  /** Exclusive. */
  readonly validUntil: number
  readonly text: string
}

/** Shared by all processes on this store. */
export interface SnapshotStore {
  /** Null when there is none that is valid now. */
  find(identity: string): Promise<Snapshot | null>
  /**
   * Of several that are taken of the same at once, the first stays: the one that counts is returned. Throws rather
   * than wait while another process writes.
   */
  put(snapshot: Snapshot): Promise<Snapshot>
}

export interface SettingsStore {
  readonly keys: KeyStore
  readonly tokens: TokenStore
  readonly prices: PriceStore
  readonly budgets: BudgetStore
  readonly targets: TargetStore
  readonly alerts: AlertStore
  readonly snapshots: SnapshotStore
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly audit: AuditStore
  /** The same store, its changes written to the audit log in the name of somebody. Cheap: made for every request. */
  as(actor: Actor): SettingsStore
  /** The one-time code with which the first administrator is made; null when one was ever given out, or there is one. */
  createSetupCode(): Promise<string | null>
  /** Whether that code still waits to be spent. It is of no use once there is an administrator who can sign in. */
  hasSetupCode(): Promise<boolean>
  /** Spends the code for the first administrator; null when it is wrong or was spent. */
  redeemSetupCode(code: string, user: NewUser): Promise<User | null>
  /** A fault in one sentence, or null. */
  check(): Promise<string | null>
  /** Tidies up behind writes that did not wait for the disk. For a thread that nobody waits for, now and then. */
  foldBack(): Promise<void>
  close(): Promise<void>
}
