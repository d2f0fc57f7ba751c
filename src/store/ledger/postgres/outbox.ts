// The outbox on PostgreSQL. An alert is in it once, by its id, and stays, so it is never raised
// twice. Must stay true: places are given under the store's lock, so they are in the order of the
// commits and a reader misses none.

import type { Alert, AlertKind } from '../../../core/alert.ts'
import type { Sql, SqlDatabase, Statement } from '../../sql/sql.ts'
import { toNumberArray, toOptionalTextArray, toTextArray } from '../../postgres/array-text.ts'
import { RECENT_MAX } from '../outbox.ts'
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
  SELECT usage_state.outbox_seq + row_number() OVER (ORDER BY added.place), added.id, added.kind,
    added.budget, added.at, added.body
  FROM usage_state, unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[])
    WITH ORDINALITY AS added (id, kind, budget, at, body, place)
  WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = added.id COLLATE "C")`
const REVISE = `UPDATE outbox SET body = ?, seq = (SELECT outbox_seq FROM usage_state) + 1
  WHERE id = ?`
const COUNT_ON = `UPDATE usage_state SET outbox_seq =
  GREATEST(outbox_seq, COALESCE((SELECT MAX(seq) FROM outbox), 0))`

/** Only under the lock. The first tells how many were new. */
export function toAdditions(alerts: readonly Alert[]): readonly Statement[] {
  if (alerts.length === 0) return []
  // Of two with one id the first stays.
  const ids = new Set<string>()
  const list = alerts.filter(({ id }) => !ids.has(id) && ids.add(id))
  const values = [
    toTextArray(list.map(({ id }) => id)),
    toTextArray(list.map(({ kind }) => kind)),
    toOptionalTextArray(list.map(({ budgetId }) => budgetId)),
    toNumberArray(list.map(({ at }) => at)),
    toTextArray(list.map(({ body }) => body)),
  ]
  return [
    { text: ADD, values },
    { text: COUNT_ON, values: [] },
  ]
}

/** Returns how many were new; only under the lock. */
export async function addAlerts(sql: Sql, alerts: readonly Alert[]): Promise<number> {
  const [add, ...rest] = toAdditions(alerts)
  if (add === undefined) return 0
  const added = await sql.run(add.text, add.values)
  for (const { text, values } of rest) await sql.run(text, values)
  return added
}

/** `requireWriter` throws where the store is open for reading only. */
export function createPostgresOutbox(database: SqlDatabase, requireWriter: () => unknown): Outbox {
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
