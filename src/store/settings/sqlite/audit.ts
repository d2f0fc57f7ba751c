// The audit log in SQLite. Must stay true: a line is written in the transaction of its change, and
// its number is one above that of the line before.

import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Actor, NewAuditEntry } from '../../../core/user.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { AUDIT_COLUMNS, fromAuditRow } from './account-rows.ts'
import type { AuditRow } from './account-rows.ts'
import type { AuditFilter, AuditPage, AuditStore } from '../audit-store.ts'

/** The oldest are removed. This is some years of a busy installation. */
export const AUDIT_LINES_MAX = 1_000_000

export const SYSTEM_ACTOR: Actor = { kind: 'system', id: null, name: 'weir' }

/** In the name of the store's actor, or of another. Returns the number of the line. */
export type WriteAudit = (entry: NewAuditEntry, actor?: Actor) => number

export interface SqliteAuditOptions {
  readonly file: SqliteFile
  readonly clock: Clock
  readonly auditLinesMax: number
}

const COLUMNS = 'at, actor_kind, actor_id, actor_name, action, subject_id, subject_name, changes'

/** The returned function may only run inside a transaction. */
export function prepareAuditWriter(options: SqliteAuditOptions, storeActor: Actor): WriteAudit {
  const { file, clock, auditLinesMax } = options
  const insert = file.prepareOnce<{ number: number }>(`INSERT INTO audit (${COLUMNS})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`)
  // Numbers follow one another without a gap, so they count the lines.
  const removeOldest = file.prepareOnce('DELETE FROM audit WHERE number <= ?')

  return ({ action, subjectId, subjectName, changes }, actor = storeActor) => {
    const who = [actor.kind, actor.id, actor.name]
    const what = [action, subjectId, subjectName, JSON.stringify(changes)]
    const row = insert.first(clock.now(), ...who, ...what)
    assert(row !== null, 'a line of the audit log has a number')
    removeOldest.run(row.number - auditLinesMax)
    return row.number
  }
}

export function createSqliteAudit({
  file,
  writeAudit,
}: {
  readonly file: SqliteFile
  readonly writeAudit: WriteAudit
}): AuditStore {
  return {
    async add(entry: NewAuditEntry): Promise<void> {
      file.transact(() => writeAudit(entry))
    },

    async list(filter, { before, rowsMax }): Promise<AuditPage> {
      // One more than was asked for shows whether there is more.
      const range = { before: before ?? Number.MAX_SAFE_INTEGER, rows: rowsMax + 1 }
      const { sql, values } = toCondition(filter)
      const select = file.prepareOnce<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit
        WHERE ${sql} number < :before ORDER BY number DESC LIMIT :rows`)
      const rows = select.all({ ...range, ...values })
      const entries = rows.slice(0, rowsMax).map(fromAuditRow)
      const next = rows.length > rowsMax ? (entries.at(-1)?.number ?? null) : null
      return { entries, next }
    },
  }
}

/** One of eight texts: each column is asked for or not. */
function toCondition({ noun, actorId, subjectId }: AuditFilter) {
  const asked = Object.entries({ noun, actor_id: actorId, subject_id: subjectId }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  return {
    sql: asked.map(([column]) => `${column} = :${column} AND `).join(''),
    values: Object.fromEntries(asked),
  }
}
