// Alerts on their way: taken from the outbox, due, claimed, attempted. Must stay true: an alert,
// its deliveries and the place in the outbox are written in one transaction, so none is forgotten;
// and of all nodes one at a time sends to a target, so none is sent twice.

import type { AddressedAlert, AlertKind } from '../../../core/alert.ts'
import { assert } from '../../../core/assert.ts'
import type { Sql } from '../../sql/sql.ts'
import { fromAlertRow, fromTargetRow } from './alert-rows.ts'
import type { AlertRow } from './alert-rows.ts'
import { createAlertLog } from './alert-log.ts'
import { ATTEMPTS_KEPT_MAX, CLAIM_MS } from '../alert-store.ts'
import type { AlertQueue, AlertStore, Delivery, LoggedDelivery } from '../alert-store.ts'
import type { SettingsTools } from './tools.ts'

/** A receiver's own words may be part of it. */
const DETAIL_CHARS_MAX = 500

/** Alerts of other kinds say what was at a moment, which no longer changes. */
const REVISED_KIND: AlertKind = 'spend.anomaly'

export function createAlerts(options: SettingsTools): AlertStore {
  return { ...createTaking(options), ...createDelivering(options), ...createAlertLog(options) }
}

const INSERT_ALERT = `INSERT INTO alerts (id, kind, budget_id, at, body)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
const INSERT_DELIVERIES = `INSERT INTO alert_deliveries
    (alert_id, target_id, kind, address, state, next_at, attempts)
  SELECT CAST(:id AS TEXT), id, kind, address, 'pending', CAST(:now AS BIGINT), 0
  FROM alert_targets WHERE budget_id IS NOT DISTINCT FROM CAST(:budget_id AS TEXT)
  ORDER BY created_at, rowid`
// As to a target that is the person: a mailbox gets one.
const INSERT_TO_PERSON = `INSERT INTO alert_deliveries
    (alert_id, target_id, kind, address, state, next_at, attempts)
  SELECT CAST(:id AS TEXT), CAST(:user AS TEXT), 'email', CAST(:address AS TEXT), 'pending',
    CAST(:now AS BIGINT), 0
  WHERE NOT EXISTS (SELECT 1 FROM alert_deliveries
    WHERE alert_id = :id AND kind = 'email' AND address = :address)`
const REVISE = 'UPDATE alerts SET current_body = ? WHERE id = ? AND kind = ?'

function createTaking(options: SettingsTools): Pick<AlertQueue, 'readPlace' | 'take'> {
  const { database, clock } = options
  return {
    async readPlace(): Promise<number> {
      const row = await database.first<{ place: number }>('SELECT place FROM alert_place')
      assert(row !== null, 'the log of alerts has a place')
      return row.place
    },

    async take(alerts: readonly AddressedAlert[], place: number): Promise<void> {
      await database.transact(async (sql) => {
        for (const alert of alerts) {
          if (await insertAlert(sql, alert, clock.now())) continue
          await sql.run(REVISE, [alert.body, alert.id, REVISED_KIND])
        }
        await sql.run('UPDATE alert_place SET place = ?', [place])
      })
    },
  }
}

/** In a transaction. False where it is there already. */
export async function insertAlert(
  sql: Sql,
  { id, kind, budgetId, at, body, recipients = [] }: AddressedAlert,
  now: number,
): Promise<boolean> {
  if ((await sql.run(INSERT_ALERT, [id, kind, budgetId, at, body])) === 0) return false
  await sql.run(INSERT_DELIVERIES, { id, budget_id: budgetId, now })
  for (const { userId: user, email: address } of recipients) {
    await sql.run(INSERT_TO_PERSON, { id, user, address, now })
  }
  return true
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

// A target gets one at a time, from whichever node. A person is none of the targets, and nothing is
// due to a target that was removed.
const IS_FREE = `NOT EXISTS (SELECT 1 FROM alert_deliveries AS other
  WHERE other.target_id = delivery.target_id AND other.claimed_until > :now)`
const SELECT_DUE = `SELECT
    alert.number, alert.id, alert.kind, alert.budget_id, alert.at, alert.body, delivery.attempts,
    delivery.target_id, delivery.kind AS target_kind, delivery.address,
    target.budget_id AS target_budget_id, target.secret,
    COALESCE(target.created_at, alert.at) AS created_at
  FROM alert_deliveries AS delivery
  JOIN alerts AS alert ON alert.id = delivery.alert_id
  LEFT JOIN alert_targets AS target ON target.id = delivery.target_id
  WHERE delivery.next_at <= :now AND ${IS_FREE}
  ORDER BY delivery.next_at, delivery.number LIMIT :rows`
const CLAIM = `UPDATE alert_deliveries AS delivery SET claimed_until = :until
  WHERE alert_id = :alert_id AND target_id = :target_id AND next_at <= :now AND ${IS_FREE}`
const RELEASE = `UPDATE alert_deliveries SET claimed_until = NULL
  WHERE alert_id = ? AND target_id = ?`

type Delivering = Pick<AlertQueue, 'listDue' | 'claim' | 'release' | 'releaseAll' | 'noteAttempt'>

function createDelivering({ database, clock }: SettingsTools): Delivering {
  return {
    async listDue(nowMs: number, rowsMax: number): Promise<readonly Delivery[]> {
      const rows = await database.all<DueRow>(SELECT_DUE, { now: nowMs, rows: rowsMax })
      return rows.map(fromDueRow)
    },

    async claim({ alertId, targetId }): Promise<boolean> {
      const now = clock.now()
      const ids = { alert_id: alertId, target_id: targetId }
      const values = { ...ids, now, until: now + CLAIM_MS }
      return (await database.transact((sql) => sql.run(CLAIM, values))) === 1
    },

    async releaseAll(): Promise<void> {
      await database.run(
        'UPDATE alert_deliveries SET claimed_until = NULL WHERE claimed_until IS NOT NULL',
      )
    },

    async release({ alertId, targetId }): Promise<void> {
      await database.changeWithoutWaiting((sql) => sql.run(RELEASE, [alertId, targetId]))
    },

    async noteAttempt({ alertId, targetId }, attempt, nextAt): Promise<void> {
      await database.transact(async (sql) => {
        const row = await sql.first<{ number: number; state: LoggedDelivery['state'] }>(
          'SELECT number, state FROM alert_deliveries WHERE alert_id = ? AND target_id = ?',
          [alertId, targetId],
        )
        if (row === null) return
        const { number } = row
        const state = stateAfter(row.state, attempt.isDelivered, nextAt)
        const next_at = state === 'pending' ? nextAt : null
        await sql.run(
          `UPDATE alert_deliveries SET state = :state, next_at = :next_at,
            attempts = attempts + 1, claimed_until = NULL WHERE number = :number`,
          { number, state, next_at },
        )
        await addAttempt(sql, number, attempt)
      })
    },
  }
}

async function addAttempt(
  sql: Sql,
  number: number,
  { at, isDelivered, detail }: Parameters<AlertQueue['noteAttempt']>[1],
): Promise<void> {
  // PostgreSQL takes no zeros in a text.
  const text = detail.replaceAll('\0', '').slice(0, DETAIL_CHARS_MAX)
  await sql.run(
    'INSERT INTO alert_attempts (delivery, at, is_delivered, detail) VALUES (?, ?, ?, ?)',
    [number, at, Number(isDelivered), text],
  )
  await sql.run(
    `DELETE FROM alert_attempts WHERE delivery = :number AND number <= (
      SELECT number FROM alert_attempts WHERE delivery = :number
      ORDER BY number DESC LIMIT 1 OFFSET ${ATTEMPTS_KEPT_MAX})`,
    { number },
  )
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
