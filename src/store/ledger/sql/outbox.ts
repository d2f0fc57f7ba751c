// The outbox. An alert is in it once, by its id, and stays, so it is never raised twice. Must stay
// true: places are given under the store's lock, so they are in the order of the commits and a
// reader misses none.

import type { Alert, AlertKind } from '../../../core/alert.ts'
import { runChange } from '../../sql/sql.ts'
import type { Sql, SqlDatabase, Statement } from '../../sql/sql.ts'
import { RECENT_MAX } from '../outbox.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import type { Outbox } from '../outbox.ts'

interface OutboxRow {
  readonly seq: number
  readonly id: string
  readonly kind: string
  readonly budget: string | null
  readonly at: number
  readonly body: string
}

const ADD = `INSERT INTO outbox (seq, id, kind, budget, at, body)
  SELECT outbox_seq + 1, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),
    CAST(? AS TEXT) FROM usage_state WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE id = ?)`
const REVISE = `UPDATE outbox SET body = ?, seq = (SELECT outbox_seq FROM usage_state) + 1
  WHERE id = ?`
const COUNT_ON = `UPDATE usage_state SET outbox_seq =
  COALESCE((SELECT MAX(seq) FROM outbox WHERE seq > outbox_seq), outbox_seq)`

/** Only under the lock: two for each, of which the first tells whether it was new. */
export function toAdditions(alerts: readonly Alert[]): readonly Statement[] {
  return alerts.flatMap(({ id, kind, budgetId, at, body }) => [
    { text: ADD, values: [id, kind, budgetId, at, body, id] },
    { text: COUNT_ON, values: [] },
  ])
}

/** Returns how many were new; only under the lock. */
export async function addAlerts(sql: Sql, alerts: readonly Alert[]): Promise<number> {
  let added = 0
  for (const statement of toAdditions(alerts)) {
    const changed = await runChange(sql, statement)
    if (statement.text === ADD) added += changed
  }
  return added
}

/** To be asked for first where most of them were raised before, as after each restart. */
export async function withoutKnown(
  sql: Sql,
  alerts: readonly Alert[],
  dialect: Pick<Dialect, 'isOneOf'>,
): Promise<readonly Alert[]> {
  if (alerts.length === 0) return alerts
  const isOne = dialect.isOneOf(
    'id',
    alerts.map(({ id }) => id),
  )
  const rows = await sql.all<Pick<OutboxRow, 'id'>>(
    `SELECT id FROM outbox WHERE ${isOne.sql}`,
    isOne.parameters,
  )
  const known = new Set(rows.map(({ id }) => id))
  return alerts.filter(({ id }) => !known.has(id))
}

/** `requireWriter` throws where the store is open for reading only. */
export function createOutbox(database: SqlDatabase, requireWriter: () => unknown): Outbox {
  return {
    async add(alerts) {
      requireWriter()
      return alerts.length === 0 ? 0 : database.transact((sql) => addAlerts(sql, alerts))
    },
    async revise(alerts) {
      requireWriter()
      await database.transact(async (sql) => {
        for (const { id, body } of alerts) {
          await sql.run(REVISE, [body, id])
          await sql.run(COUNT_ON)
        }
      })
    },
    async read(place, rowsMax) {
      const rows = await database.all<OutboxRow>(
        'SELECT * FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?',
        [place, rowsMax],
      )
      return { alerts: rows.map(fromRow), place: rows.at(-1)?.seq ?? place }
    },
    async listRecent(kind, sinceMs) {
      const rows = await database.all<OutboxRow>(
        'SELECT * FROM outbox WHERE kind = ? AND at >= ? ORDER BY at DESC, seq DESC LIMIT ?',
        [kind, sinceMs, RECENT_MAX],
      )
      return rows.map(fromRow).toReversed()
    },
  }
}

function fromRow({ id, kind, budget, at, body }: OutboxRow): Alert {
  return { id, kind: kind as AlertKind, budgetId: budget, at, body }
}
