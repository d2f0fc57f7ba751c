// Whether an editor saw what is to be changed as it is. Must stay true: it is asked in the
// transaction of the change, so that of two at once only one wins.

import { ChangedMeanwhile, CHANGES_SHOWN_MAX } from '../changed-meanwhile.ts'
import type { Expected } from '../changed-meanwhile.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { AUDIT_COLUMNS, fromAuditRow } from './account-rows.ts'
import type { AuditRow } from './account-rows.ts'

/** Throws `ChangedMeanwhile` where it is at another version. */
export type RequireVersion = (
  subject: { readonly id: string; readonly version: number },
  expected: Expected,
) => void

export function prepareVersionCheck(file: SqliteFile): RequireVersion {
  const selectSince = file.prepareOnce<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit
    WHERE subject_id = ? AND number > ? ORDER BY number DESC LIMIT ${CHANGES_SHOWN_MAX}`)

  return ({ id, version }, expected) => {
    if (expected === null) return
    const versions = expected === 'absent' ? [] : expected
    if (versions.includes(version)) return
    const since = selectSince.all(id, Math.max(0, ...versions)).map(fromAuditRow)
    throw new ChangedMeanwhile(version, since)
  }
}
