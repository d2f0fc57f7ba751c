// The log of alerts, and which deliveries are due. Must stay true: an alert, its deliveries and the
// place in the outbox are written in one transaction, so none is forgotten or sent twice.

import type { Alert, AlertKind } from '../../../core/alert.ts'
import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromAlertRow, fromAttemptRow, fromDeliveryRow, fromTargetRow } from './alert-rows.ts'
import type { AlertRow, AttemptRow, DeliveryRow } from './alert-rows.ts'
import { ATTEMPTS_KEPT_MAX, RECENT_MAX } from '../alert-store.ts'
import type {
  AlertPage,
  AlertStore,
  Delivery,
  LoggedAlert,
  LoggedDelivery,
} from '../alert-store.ts'
import { fromMarkRow, MARK_COLUMNS } from './incident-marks.ts'
import type { MarkRow } from './incident-marks.ts'
import { readTogether } from '../../sqlite/read-together.ts'

/** A receiver's own words may be part of it. */
const DETAIL_CHARS_MAX = 500

/** Alerts of other kinds say what was at a moment, which no longer changes. */
const REVISED_KIND: AlertKind = 'spend.anomaly'

interface AlertsOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
}

export function createAlerts(options: AlertsOptions): AlertStore {
  const { file } = options
  const removeBefore = file.prepare(`DELETE FROM alerts WHERE at < ? AND NOT EXISTS (
    SELECT 1 FROM alert_deliveries WHERE alert_id = alerts.id AND next_at IS NOT NULL)`)

  return {
    ...createTaking(options),
    ...createDelivering(file),
    ...createLog(file),

    async removeBefore(atMs: number): Promise<number> {
      return file.transact(() => removeBefore.run(atMs))
    },
  }
}

function createTaking(options: AlertsOptions): Pick<AlertStore, 'readPlace' | 'take'> {
  const { file, clock } = options
  const selectPlace = file.prepare<{ place: number }>('SELECT place FROM alert_place')
  const setPlace = file.prepare('UPDATE alert_place SET place = ?')
  const insert = file.prepare(`INSERT INTO alerts (id, kind, budget_id, at, body)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`)
  const insertDeliveries = file.prepare(`INSERT INTO alert_deliveries
      (alert_id, target_id, kind, address, state, next_at, attempts)
    SELECT :id, id, kind, address, 'pending', :now, 0 FROM alert_targets
    WHERE budget_id IS :budget_id ORDER BY created_at, rowid`)
  const revise = file.prepare('UPDATE alerts SET current_body = ? WHERE id = ? AND kind = ?')

  return {
    async readPlace(): Promise<number> {
      const row = selectPlace.first()
      assert(row !== null, 'the log of alerts has a place')
      return row.place
    },

    async take(alerts: readonly Alert[], place: number): Promise<void> {
      file.transact(() => {
        for (const { id, kind, budgetId, at, body } of alerts) {
          if (insert.run(id, kind, budgetId, at, body) === 0) revise.run(body, id, REVISED_KIND)
          else insertDeliveries.run({ id, budget_id: budgetId, now: clock.now() })
        }
        setPlace.run(place)
      })
    },
  }
}

interface DueRow extends AlertRow {
  attempts: number
  target_id: string
  target_kind: string
  address: string
  target_budget_id: string | null
  secret: string | null
  created_at: number
}

function createDelivering(file: SqliteFile): Pick<AlertStore, 'listDue' | 'noteAttempt'> {
  const selectDue = file.prepare<DueRow>(`SELECT
      alert.number, alert.id, alert.kind, alert.budget_id, alert.at, alert.body, delivery.attempts,
      target.id AS target_id, target.kind AS target_kind, target.address,
      target.budget_id AS target_budget_id, target.secret, target.created_at
    FROM alert_deliveries AS delivery
    JOIN alerts AS alert ON alert.id = delivery.alert_id
    JOIN alert_targets AS target ON target.id = delivery.target_id
    WHERE delivery.next_at <= ? ORDER BY delivery.next_at, delivery.number LIMIT ?`)
  const select = file.prepare<{ number: number; state: LoggedDelivery['state'] }>(
    'SELECT number, state FROM alert_deliveries WHERE alert_id = ? AND target_id = ?',
  )
  const update = file.prepare(`UPDATE alert_deliveries
    SET state = :state, next_at = :next_at, attempts = attempts + 1 WHERE number = :number`)
  const insert = file.prepare(`INSERT INTO alert_attempts (delivery, at, is_delivered, detail)
    VALUES (?, ?, ?, ?)`)
  const removeSurplus = file.prepare(`DELETE FROM alert_attempts WHERE number IN (
    SELECT number FROM alert_attempts WHERE delivery = ?
    ORDER BY number DESC LIMIT -1 OFFSET ${ATTEMPTS_KEPT_MAX})`)

  return {
    async listDue(nowMs: number, rowsMax: number): Promise<readonly Delivery[]> {
      return selectDue.all(nowMs, rowsMax).map(fromDueRow)
    },

    async noteAttempt({ alertId, targetId }, attempt, nextAt): Promise<void> {
      file.transact(() => {
        const row = select.first(alertId, targetId)
        if (row === null) return
        const state = stateAfter(row.state, attempt.isDelivered, nextAt)
        const next = state === 'pending' ? nextAt : null
        update.run({ number: row.number, state, next_at: next })
        const detail = attempt.detail.slice(0, DETAIL_CHARS_MAX)
        insert.run(row.number, attempt.at, Number(attempt.isDelivered), detail)
        removeSurplus.run(row.number)
      })
    },
  }
}

/** A delivery that ended during the attempt, as its target was removed, stays ended. */
function stateAfter(
  state: LoggedDelivery['state'],
  isDelivered: boolean,
  nextAt: number | null,
): LoggedDelivery['state'] {
  if (isDelivered) return 'delivered'
  if (state !== 'pending') return state
  return nextAt === null ? 'given_up' : 'pending'
}

function fromDueRow(row: DueRow): Delivery {
  const { address, secret, created_at, attempts } = row
  const [id, kind, budget_id] = [row.target_id, row.target_kind, row.target_budget_id]
  const target = fromTargetRow({ id, kind, address, budget_id, secret, created_at })
  return { alert: fromAlertRow(row), target, attempts }
}

type LoggedRow = AlertRow & MarkRow

function createLog(file: SqliteFile): Pick<AlertStore, 'list' | 'listRecent' | 'find'> {
  const from = `SELECT number, id, kind, budget_id, at, COALESCE(current_body, body) AS body,
    ${MARK_COLUMNS} FROM alerts WHERE`
  const order = 'ORDER BY number DESC LIMIT :rows'
  const selectAll = file.prepare<LoggedRow>(`${from} number < :before ${order}`)
  const selectOfBudget = file.prepare<LoggedRow>(
    `${from} budget_id = :budget_id AND number < :before ${order}`,
  )
  const selectRecent = file.prepare<LoggedRow>(`${from} at >= :since AND kind = :kind ${order}`)
  const selectOne = file.prepare<LoggedRow>(`${from} id = ?`)
  const selectDeliveries =
    file.prepare<DeliveryRow>(`SELECT number, target_id, kind, address, state, next_at
    FROM alert_deliveries WHERE alert_id = ? ORDER BY number`)
  const selectAttempts = file.prepare<AttemptRow>(`SELECT at, is_delivered, detail
    FROM alert_attempts WHERE delivery = ? ORDER BY number`)

  function readDeliveries(alertId: string): LoggedDelivery[] {
    return selectDeliveries.all(alertId).map((row) => {
      return fromDeliveryRow(row, selectAttempts.all(row.number).map(fromAttemptRow))
    })
  }

  const toLogged = (row: LoggedRow): LoggedAlert => {
    return { ...fromAlertRow(row), mark: fromMarkRow(row), deliveries: readDeliveries(row.id) }
  }

  return {
    async find(id): Promise<LoggedAlert | null> {
      return readTogether(file, () => selectOne.all(id).map(toLogged)[0] ?? null)
    },

    async listRecent(kind, sinceMs): Promise<readonly LoggedAlert[]> {
      const asked = { kind, since: sinceMs, rows: RECENT_MAX }
      return readTogether(file, () => selectRecent.all(asked).map(toLogged))
    },

    async list({ before, rowsMax, budgetId }): Promise<AlertPage> {
      return readTogether(file, () => {
        // One more than was asked for shows whether there is more.
        const range = { before: before ?? Number.MAX_SAFE_INTEGER, rows: rowsMax + 1 }
        const rows =
          budgetId === undefined
            ? selectAll.all(range)
            : selectOfBudget.all({ ...range, budget_id: budgetId })
        const shown = rows.slice(0, rowsMax)
        const alerts = shown.map(toLogged)
        const next = rows.length > rowsMax ? (shown.at(-1)?.number ?? null) : null
        return { alerts, next }
      })
    },
  }
}
