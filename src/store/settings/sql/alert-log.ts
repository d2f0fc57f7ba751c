// The log of alerts, read page by page. A page is three statements, however many alerts it has.

import type { SqlDatabase, SqlValue } from '../../sql/sql.ts'
import { fromAlertRow, fromAttemptRow, fromDeliveryRow } from './alert-rows.ts'
import type { AlertRow, AttemptRow, DeliveryRow } from './alert-rows.ts'
import { RECENT_MAX } from '../alert-store.ts'
import type { AlertLog, AlertPage, LoggedAlert, LoggedDelivery } from '../alert-store.ts'
import { fromMarkRow, MARK_COLUMNS } from './incident-marks.ts'
import type { MarkRow } from './incident-marks.ts'

type LoggedRow = AlertRow & MarkRow

/** Which alerts: a condition of this file, on `alerts`, and its values. */
interface Asked {
  readonly where: string
  readonly values: Readonly<Record<string, SqlValue>>
  readonly rowsMax: number
}

const REMOVE_BEFORE = `DELETE FROM alerts WHERE at < ? AND NOT EXISTS (
  SELECT 1 FROM alert_deliveries WHERE alert_id = alerts.id AND next_at IS NOT NULL)`

export function createAlertLog({ database }: { readonly database: SqlDatabase }): AlertLog {
  return {
    async find(id): Promise<LoggedAlert | null> {
      const asked = { where: 'alerts.id = :id', values: { id }, rowsMax: 1 }
      return (await read(database, asked))[0]?.alert ?? null
    },

    async listRecent(kind, sinceMs): Promise<readonly LoggedAlert[]> {
      const found = await read(database, {
        where: 'alerts.at >= :since AND alerts.kind = :kind',
        values: { kind, since: sinceMs },
        rowsMax: RECENT_MAX,
      })
      return found.map(({ alert }) => alert)
    },

    async list({ before, rowsMax, budgetId }): Promise<AlertPage> {
      const isAll = budgetId === undefined
      const found = await read(database, {
        where: `alerts.number < :before${isAll ? '' : ' AND alerts.budget_id = :budget_id'}`,
        values: {
          before: before ?? Number.MAX_SAFE_INTEGER,
          ...(!isAll && { budget_id: budgetId }),
        },
        // One more than was asked for shows whether there is more.
        rowsMax: rowsMax + 1,
      })
      const shown = found.slice(0, rowsMax)
      const next = found.length > rowsMax ? (shown.at(-1)?.number ?? null) : null
      return { alerts: shown.map(({ alert }) => alert), next }
    },

    removeBefore: (atMs) => database.transact((sql) => sql.run(REMOVE_BEFORE, [atMs])),
  }
}

interface Found {
  readonly number: number
  readonly alert: LoggedAlert
}

type OfAlert = DeliveryRow & { alert_id: string }
type OfDelivery = AttemptRow & { delivery: number }

/** Newest first. */
function read(database: SqlDatabase, { where, values, rowsMax }: Asked): Promise<readonly Found[]> {
  return database.readSnapshot(async (sql) => {
    const rows = await sql.all<LoggedRow>(
      `SELECT number, id, kind, budget_id, at, COALESCE(current_body, body) AS body,
        ${MARK_COLUMNS} FROM alerts WHERE ${where} ORDER BY number DESC LIMIT :rows`,
      { ...values, rows: rowsMax },
    )
    const last = rows.at(-1)
    if (last === undefined) return []
    // The alerts of the page are all that the condition finds from its last one on.
    const ofPage = { ...values, last: last.number }
    const deliveries = await sql.all<OfAlert>(
      `SELECT delivery.number, alert_id, target_id, delivery.kind, address, state, next_at
        FROM alerts JOIN alert_deliveries AS delivery ON delivery.alert_id = alerts.id
        WHERE ${where} AND alerts.number >= :last ORDER BY delivery.number`,
      ofPage,
    )
    const attempts = await sql.all<OfDelivery>(
      `SELECT delivery, attempt.at, is_delivered, detail
        FROM alerts JOIN alert_deliveries AS sent ON sent.alert_id = alerts.id
        JOIN alert_attempts AS attempt ON attempt.delivery = sent.number
        WHERE ${where} AND alerts.number >= :last ORDER BY attempt.number`,
      ofPage,
    )
    return toFound(rows, deliveries, attempts)
  })
}

function toFound(
  rows: readonly LoggedRow[],
  deliveries: readonly OfAlert[],
  attempts: readonly OfDelivery[],
): readonly Found[] {
  const byAlert = Map.groupBy(deliveries, ({ alert_id }) => alert_id)
  const byDelivery = Map.groupBy(attempts, ({ delivery }) => delivery)
  const toDelivery = (row: OfAlert): LoggedDelivery =>
    fromDeliveryRow(row, (byDelivery.get(row.number) ?? []).map(fromAttemptRow))
  return rows.map((row) => {
    const sent = (byAlert.get(row.id) ?? []).map(toDelivery)
    const alert = { ...fromAlertRow(row), mark: fromMarkRow(row), deliveries: sent }
    return { number: row.number, alert }
  })
}
