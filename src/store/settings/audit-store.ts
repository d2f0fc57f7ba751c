// The audit log among the settings. Must stay true: every change to the settings is in it, written
// in the transaction of the change itself.

import type { AuditEntry, NewAuditEntry } from '../../core/user.ts'

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly next: number | null
}

export interface AuditFilter {
  /** `key` for all actions `key.…`; null for all. */
  readonly noun: string | null
  /** The id of a user or token, or a name: commands have no id. */
  readonly actorId: string | null
  readonly subjectId: string | null
  /** `key.pause`; left out: all. */
  readonly action?: string | null
  readonly fromMs?: number | null
  /** Exclusive. */
  readonly toMs?: number | null
}

export interface AuditStore {
  /** For what changes no setting: a sign-in, a repricing. */
  add(entry: NewAuditEntry): Promise<void>
  /** Newest first, below the number `before` (null: from the newest). */
  list(
    filter: AuditFilter,
    page: { readonly before: number | null; readonly rowsMax: number },
  ): Promise<AuditPage>
}
