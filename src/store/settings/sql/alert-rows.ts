// The rows of alert targets and of the alert log, and their translation.

import { ALERT_KINDS, TARGET_KINDS } from '../../../core/alert.ts'
import type { Alert, AlertTarget, TargetKind } from '../../../core/alert.ts'
import { assert } from '../../../core/assert.ts'
import type { DeliveryAttempt, LoggedDelivery } from '../alert-store.ts'

export interface TargetRow {
  id: string
  kind: string
  address: string
  budget_id: string | null
  secret: string | null
  created_at: number
}

export interface AlertRow {
  /** Rises with each alert. */
  number: number
  id: string
  kind: string
  budget_id: string | null
  at: number
  body: string
}

/** Kind and address are copied from the target: the log stays readable when it is gone. */
export interface DeliveryRow {
  number: number
  target_id: string
  kind: string
  address: string
  state: LoggedDelivery['state']
  next_at: number | null
}

export interface AttemptRow {
  at: number
  is_delivered: number
  detail: string
}

export function fromTargetRow(row: TargetRow): AlertTarget {
  return {
    id: row.id,
    kind: parseTargetKind(row.kind),
    address: row.address,
    budgetId: row.budget_id,
    secret: row.secret,
    createdAt: row.created_at,
  }
}

function parseTargetKind(text: string): TargetKind {
  const kind = TARGET_KINDS.find((each) => each === text)
  assert(kind !== undefined, 'a stored target is of a known kind')
  return kind
}

export function fromAlertRow(row: AlertRow): Alert {
  const kind = ALERT_KINDS.find((each) => each === row.kind)
  assert(kind !== undefined, 'a stored alert is of a known kind')
  return { id: row.id, kind, budgetId: row.budget_id, at: row.at, body: row.body }
}

export function fromDeliveryRow(
  row: DeliveryRow,
  attempts: readonly DeliveryAttempt[],
): LoggedDelivery {
  return {
    targetId: row.target_id,
    kind: parseTargetKind(row.kind),
    address: row.address,
    state: row.state,
    nextAt: row.next_at,
    attempts,
  }
}

export function fromAttemptRow(row: AttemptRow): DeliveryAttempt {
  return { at: row.at, isDelivered: row.is_delivered === 1, detail: row.detail }
}
