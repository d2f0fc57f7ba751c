// The audit log. Must stay true: a line is written in the transaction of its change, and
// its number is one above that of the line before.

import { assert } from '../../../core/assert.ts'
import { AUDIT_ACTIONS } from '../../../core/user.ts'
import type { Actor, ActorKind, AuditEntry, NewAuditEntry } from '../../../core/user.ts'
import type { Sql } from '../../sql/sql.ts'
import type { AuditFilter, AuditPage, AuditStore } from '../audit-store.ts'
import { ChangedMeanwhile, CHANGES_SHOWN_MAX } from '../changed-meanwhile.ts'
import type { Expected } from '../changed-meanwhile.ts'
import type { SettingsTools, WriteAudit } from './tools.ts'

export const SYSTEM_ACTOR: Actor = { kind: 'system', id: null, name: 'weir' }

interface AuditRow {
  readonly number: number
  readonly at: number
  readonly actor_kind: ActorKind
  readonly actor_id: string | null
  readonly actor_name: string
  readonly action: string
  readonly subject_id: string | null
  readonly subject_name: string | null
  readonly changes: string
}

const COLUMNS = 'at, actor_kind, actor_id, actor_name, action, subject_id, subject_name, changes'

// As SQLite numbers rows by itself; a sequence of PostgreSQL would leave gaps.
const INSERT = `INSERT INTO audit (number, ${COLUMNS})
  VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM audit), ?, ?, ?, ?, ?, ?, ?, ?)
  RETURNING number`
// Numbers follow one another without a gap, so they count the lines.
const REMOVE_OLDEST = 'DELETE FROM audit WHERE number <= ?'

export function createAuditWriter(
  { clock, auditLinesMax }: Pick<SettingsTools, 'clock' | 'auditLinesMax'>,
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

export function createAudit({ database, writeAudit }: SettingsTools): AuditStore {
  return {
    async add(entry: NewAuditEntry): Promise<void> {
      await database.transact((sql) => writeAudit(sql, entry))
    },

    async list(filter, { before, rowsMax }): Promise<AuditPage> {
      // One more than was asked for shows whether there is more.
      const range = { before: before ?? Number.MAX_SAFE_INTEGER, rows: rowsMax + 1 }
      const { condition, values } = toCondition(filter)
      const rows = await database.all<AuditRow>(
        `SELECT number, ${COLUMNS} FROM audit
          WHERE ${condition} number < :before ORDER BY number DESC LIMIT :rows`,
        { ...range, ...values },
      )
      const entries = rows.slice(0, rowsMax).map(fromAuditRow)
      const next = rows.length > rowsMax ? (entries.at(-1)?.number ?? null) : null
      return { entries, next }
    },
  }
}

/** A condition for each member that is asked for. */
const CONDITIONS = {
  noun: 'noun = :noun',
  actorId: '(actor_id = :actorId OR actor_name = :actorId)',
  subjectId: 'subject_id = :subjectId',
  action: 'action = :action',
  fromMs: 'at >= :fromMs',
  toMs: 'at < :toMs',
} as const satisfies Readonly<Record<keyof AuditFilter, string>>

function toCondition(filter: AuditFilter) {
  const names = Object.keys(CONDITIONS) as readonly (keyof AuditFilter)[]
  const asked = names.filter((name) => filter[name] != null)
  return {
    condition: asked.map((name) => `${CONDITIONS[name]} AND `).join(''),
    values: Object.fromEntries(asked.map((name) => [name, filter[name] as string | number])),
  }
}

const SELECT_SINCE = `SELECT number, ${COLUMNS} FROM audit
  WHERE subject_id = ? AND number > ? ORDER BY number DESC LIMIT ${CHANGES_SHOWN_MAX}`

/**
 * Throws `ChangedMeanwhile` where it is at another version. In the transaction of the change, so
 * that of two at once only one wins.
 */
export async function requireVersion(
  sql: Sql,
  { id, version }: { readonly id: string; readonly version: number },
  expected: Expected,
): Promise<void> {
  if (expected === null) return
  const versions = expected === 'absent' ? [] : expected
  if (versions.includes(version)) return
  const since = await sql.all<AuditRow>(SELECT_SINCE, [id, Math.max(0, ...versions)])
  throw new ChangedMeanwhile(version, since.map(fromAuditRow))
}

function fromAuditRow(row: AuditRow): AuditEntry {
  const action = AUDIT_ACTIONS.find((each) => each === row.action)
  assert(action !== undefined, 'a stored line of the audit log is about a known action')
  return {
    number: row.number,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    changes: JSON.parse(row.changes) as AuditEntry['changes'],
  }
}
