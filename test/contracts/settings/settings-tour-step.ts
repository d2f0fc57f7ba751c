// One step of the tour of the settings store's changes, and what the steps share.

import type { AuditAction, AuditEntry } from '../../../src/core/user.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'

/** When the tour begins, as the audit log writes it. */
export const START = '2026-01-31T12:00:00.000Z'

export interface TourStep {
  /** Returns the id of what was changed; null where it has none. */
  readonly change: (store: SettingsStore) => Promise<string | null>
  readonly action: AuditAction
  readonly subjectName: string
  readonly changes: AuditEntry['changes']
}

export interface TourTools {
  /** What must never be in the log is added. */
  readonly secrets: Set<string>
  readonly idOf: (name: string) => string
  readonly keep: (name: string, id: string) => string
}
