// Whether an editor saw what is to be changed as it is. Must stay true: it is asked in the
// transaction of the change, so that of two at once only one wins.

import { ChangedMeanwhile, CHANGES_SHOWN_MAX } from '../changed-meanwhile.ts'
import type { Expected } from '../changed-meanwhile.ts'
import type { Sql } from '../../sql/sql.ts'
import { AUDIT_COLUMNS, fromAuditRow } from './account-rows.ts'
import type { AuditRow } from './account-rows.ts'

const SELECT_SINCE = `SELECT ${AUDIT_COLUMNS} FROM audit
  WHERE subject_id = ? AND number > ? ORDER BY number DESC LIMIT ${CHANGES_SHOWN_MAX}`

interface Subject {
  readonly id: string
  readonly version: number
}

/** Throws `ChangedMeanwhile` where it is at another version. */
export async function requireVersion(
  sql: Sql,
  { id, version }: Subject,
  expected: Expected,
): Promise<void> {
  if (expected === null) return
  const versions = expected === 'absent' ? [] : expected
  if (versions.includes(version)) return
  const since = await sql.all<AuditRow>(SELECT_SINCE, [id, Math.max(0, ...versions)])
  throw new ChangedMeanwhile(version, since.map(fromAuditRow))
}
