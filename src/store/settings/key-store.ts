// API keys among the settings. The store keeps only the hash of a secret; proxies poll for changes.

import type { ApiKey } from '../../core/api-key.ts'
import type { Budget, BudgetSettings } from '../../core/budget.ts'
import type { KeySettings } from '../../resources/codecs.ts'
import type { Expected } from './changed-meanwhile.ts'

/** The only time a secret is shown; the store keeps its hash. */
export interface CreatedKey {
  readonly key: ApiKey
  /** `svc_k_….secret` */
  readonly credential: string
  /** Of a new one, where it was made with one. */
  readonly budget?: Budget
}

export interface KeyChanges {
  /** To be passed to the next call. */
  readonly revision: number
  readonly keys: readonly ApiKey[]
  /** The database is another than before: whoever knows other keys forgets them. */
  readonly isAll?: true
}

export interface KeyStore {
  /** With its budget, or not at all. */
  create(settings: KeySettings, budget?: Omit<BudgetSettings, 'scope'>): Promise<CreatedKey>
  list(): Promise<readonly ApiKey[]>
  /** Null when there is no such key; `ChangedMeanwhile` at another version; the same below. */
  update(id: string, change: Partial<KeySettings>, expected?: Expected): Promise<ApiKey | null>
  /** A new secret under the same id. The old one works for `graceMs` (0) more, any older ends. */
  rotate(id: string, graceMs?: number, expected?: Expected): Promise<CreatedKey | null>
  /** Ends the old secret now. */
  endGrace(id: string, expected?: Expected): Promise<ApiKey | null>
  /** Until it is resumed; the first moment is kept. */
  pause(id: string, expected?: Expected): Promise<ApiKey | null>
  resume(id: string, expected?: Expected): Promise<ApiKey | null>
  /** Revoking twice keeps the first moment. */
  revoke(id: string, expected?: Expected): Promise<ApiKey | null>
  /** Everything since a revision; 0 for all. Polled, so it is cheap when nothing changed. */
  readChanges(revision: number): Promise<KeyChanges>
}
