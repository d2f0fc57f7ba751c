// The outbox on SQLite. An alert is in it once, by its id, and stays, so it is never raised twice.

import type { Alert, AlertKind } from '../../../core/alert.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { RECENT_MAX } from '../outbox.ts'
import type { Outbox, OutboxPage } from '../outbox.ts'

interface OutboxRow {
  readonly seq: number
  readonly id: string
  readonly kind: string
  readonly budget: string | null
  readonly at: number
  readonly body: string
}

/** The returned function reports whether the alert was new; only inside a transaction. */
export function createOutboxWriter(file: SqliteFile): (alert: Alert) => boolean {
  const insert = file.prepare(
    'INSERT OR IGNORE INTO outbox (id, kind, budget, at, body) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ id, kind, budgetId, at, body }) => insert.run(id, kind, budgetId, at, body) === 1
}

/** `requireWriter` throws where the store is open for reading only. */
export function createSqliteOutbox(file: SqliteFile, requireWriter: () => unknown): Outbox {
  return {
    async add(alerts) {
      requireWriter()
      const add = createOutboxWriter(file)
      return file.transact(() => alerts.filter(add).length)
    },
    async revise(alerts) {
      requireWriter()
      // Numbers are never given twice, so the row that replaces it comes after all others.
      const replace = file.prepare(`REPLACE INTO outbox (id, kind, budget, at, body)
        SELECT id, kind, budget, at, ? FROM outbox WHERE id = ?`)
      file.transact(() => {
        for (const { id, body } of alerts) replace.run(body, id)
      })
    },
    read: async (place, rowsMax) => readOutbox(file, place, rowsMax),
    async listRecent(kind, sinceMs) {
      const sql =
        'SELECT * FROM outbox WHERE kind = ? AND at >= ? ORDER BY at DESC, seq DESC LIMIT ?'
      const rows = file.prepare<OutboxRow>(sql).all(kind, sinceMs, RECENT_MAX)
      return rows.map(fromRow).toReversed()
    },
  }
}

function readOutbox(file: SqliteFile, place: number, rowsMax: number): OutboxPage {
  const sql = 'SELECT * FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?'
  const rows = file.prepare<OutboxRow>(sql).all(place, rowsMax)
  return { alerts: rows.map(fromRow), place: rows.at(-1)?.seq ?? place }
}

function fromRow({ id, kind, budget, at, body }: OutboxRow): Alert {
  return { id, kind: kind as AlertKind, budgetId: budget, at, body }
}
