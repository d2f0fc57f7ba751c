// The refusal of a change by an editor who has not seen the last one. A version is the number of
// the audit line of the last change, so the lines since then say who changed what.

import type { AuditEntry } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'

/** What the editor saw: one of these versions, or that nothing was there. Null: it may be any. */
export type Expected = readonly number[] | 'absent' | null

/** The newest, in one refusal. */
export const CHANGES_SHOWN_MAX = 20

export class ChangedMeanwhile extends WeirError {
  /** As it is now. */
  readonly version: number
  /** Newest first. */
  readonly since: readonly AuditEntry[]

  constructor(version: number, since: readonly AuditEntry[]) {
    const who = since[0]?.actor.name
    super(
      'changed_meanwhile',
      `It was changed meanwhile${who === undefined ? '' : ` by ${who}`}.`,
      {
        hint: 'Read it again, then send the change with its new version.',
      },
    )
    this.version = version
    this.since = since
  }
}
