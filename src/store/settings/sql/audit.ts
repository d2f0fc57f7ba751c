// The audit log. Must stay true: a line is written in the transaction of its change, and
// its number is one above that of the line before.

import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Actor, NewAuditEntry } from '../../../core/user.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { AUDIT_COLUMNS, fromAuditRow } from './account-rows.ts'
import type { AuditRow } from './account-rows.ts'
import type { AuditFilter, AuditPage, AuditStore } from '../audit-store.ts'

/** The oldest are removed. This is some years of a busy installation. */
export const AUDIT_LINES_MAX = 1_000_000

export const SYSTEM_ACTOR: Actor = { kind: 'system', id: null, name: 'weir' }

/**
 * In the name of the store's actor, or of another, in the transaction of the change. Returns the
 * number of the line.
 */
export type WriteAudit = (sql: Sql, entry: NewAuditEntry, actor?: Actor) => Promise<number>

export interface AuditOptions {
  readonly clock: Clock
  readonly auditLinesMax: number
}

const COLUMNS = 'at, actor_kind, actor_id, actor_name, action, subject_id, subject_name, changes'

// As SQLite numbers rows by itself; a sequence of PostgreSQL would leave gaps.
const INSERT = `INSERT INTO audit (number, ${COLUMNS})
  VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM audit), ?, ?, ?, ?, ?, ?, ?, ?)
  RETURNING number`
// Numbers follow one another without a gap, so they count the lines.
const REMOVE_OLDEST = 'DELETE FROM audit WHERE number <= ?'

export function createAuditWriter(
  { clock, auditLinesMax }: AuditOptions,
  storeActor: Actor,
): WriteAudit {
  return async (sql, { action, subjectId, subjectName, changes }, actor = storeActor) => {
    const who = [actor.kind, actor.id, actor.name]
    const what = [action, subjectId, subjectName, JSON.stringify(changes)]
    const row = await sql.first<{ number: number }>(INSERT, [clock.now(), ...who, ...what])
    assert(row !== null, 'a line of the audit log has a number')
    await sql.run(REMOVE_OLDEST, [row.number - auditLinesMax])
    return row.number
  }
}

export function createAudit({
  database,
  writeAudit,
}: {
  readonly database: SqlDatabase
  readonly writeAudit: WriteAudit
}): AuditStore {
  return {
    async add(entry: NewAuditEntry): Promise<void> {
      await database.transact((sql) => writeAudit(sql, entry))
    },

    async list(filter, { before, rowsMax }): Promise<AuditPage> {
      // One more than was asked for shows whether there is more.
      const range = { before: before ?? Number.MAX_SAFE_INTEGER, rows: rowsMax + 1 }
      const { condition, values } = toCondition(filter)
      const rows = await database.all<AuditRow>(
        `SELECT ${AUDIT_COLUMNS} FROM audit
          WHERE ${condition} number < :before ORDER BY number DESC LIMIT :rows`,
        { ...range, ...values },
      )
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
    condition: asked.map(([column]) => `${column} = :${column} AND `).join(''),
    values: Object.fromEntries(asked),
  }
}
