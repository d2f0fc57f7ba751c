// What people said of incidents: the last word of each. Must stay true: it is audited in its
// transaction, and goes with its alert.

import type { IncidentMark } from '../../../core/alerts/incident-mark.ts'
import { assert } from '../../../core/assert.ts'
import { formatMoney } from '../../../core/money.ts'
import type { IncidentMarkStore, NewIncidentMark } from '../incident-mark-store.ts'
import { toChanges, toTime } from './audit-changes.ts'
import type { AuditFacts } from './audit-changes.ts'
import type { SettingsTools } from './tools.ts'

export interface MarkRow {
  mark: string | null
  marked_at: number | null
  marked_by: string | null
  snoozed_until: number | null
  marked_excess: string | null
}

/** Of a SELECT from `alerts`. */
export const MARK_COLUMNS = 'mark, marked_at, marked_by, snoozed_until, marked_excess'

export function createIncidentMarks(options: SettingsTools): IncidentMarkStore {
  const { database, clock, actorName, writeAudit } = options
  const select = `SELECT ${MARK_COLUMNS} FROM alerts WHERE id = ?`
  const update = `UPDATE alerts SET (${MARK_COLUMNS}) = (?, ?, ?, ?, ?) WHERE id = ?`

  return {
    set: ({ id, name }, asked) =>
      database.transact(async (sql) => {
        const row = await sql.first<MarkRow>(select, [id])
        if (row === null) return undefined
        const before = fromMarkRow(row)
        const changes = toChanges(toMarkFacts(before), toMarkFacts(asked))
        if (Object.keys(changes).length === 0) return before
        const mark = asked === null ? null : { ...asked, at: clock.now(), by: actorName }
        const excess = mark?.kind === 'snoozed' ? String(mark.excess) : null
        const until = mark?.kind === 'snoozed' ? mark.until : null
        const said = [mark?.kind ?? null, mark?.at ?? null, mark?.by ?? null]
        await sql.run(update, [...said, until, excess, id])
        const subject = { subjectId: id, subjectName: name }
        await writeAudit(sql, { action: toAction(asked), ...subject, changes })
        return mark
      }),
  }
}

function toAction(asked: NewIncidentMark | null) {
  if (asked === null) return 'alert.reopen'
  return asked.kind === 'acknowledged' ? 'alert.acknowledge' : 'alert.snooze'
}

function toMarkFacts(mark: NewIncidentMark | null): AuditFacts {
  const snooze = mark?.kind === 'snoozed' ? mark : null
  return {
    acknowledged: mark?.kind === 'acknowledged',
    snoozed_until: snooze === null ? null : toTime(snooze.until),
    excess_usd: snooze === null ? null : formatMoney(snooze.excess),
  }
}

export function fromMarkRow(row: MarkRow): IncidentMark | null {
  const { mark: kind, marked_at: at, marked_by: by } = row
  if (kind === null) return null
  assert(at !== null && by !== null, 'a mark says when and by whom')
  if (kind === 'acknowledged') return { kind, at, by }
  const { snoozed_until: until, marked_excess: excess } = row
  assert(until !== null && excess !== null, 'a snooze says until when')
  return { kind: 'snoozed', at, by, until, excess: BigInt(excess) }
}
