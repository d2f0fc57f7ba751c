// The rows of alert targets and of the alert log, and their translation.

import { ALERT_KINDS, TARGET_KINDS } from '../../../core/alert.ts'
import type { Alert, AlertTarget, TargetKind } from '../../../core/alert.ts'
import { assert } from '../../../core/assert.ts'
import type { DeliveryAttempt, LoggedDelivery } from '../alert-store.ts'
import { toMembers } from '../../sql/members.ts'

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

export const TARGET_COLUMNS = [
  ...(['id', 'kind', 'address', 'budget_id', 'secret', 'created_at'] as const),
]

export function fromTargetRow(row: TargetRow): AlertTarget {
  return { ...toMembers(row, TARGET_COLUMNS), kind: parseTargetKind(row.kind) }
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
  const members = toMembers(row, ['target_id', 'address', 'state', 'next_at'])
  return { ...members, kind: parseTargetKind(row.kind), attempts }
}

export function fromAttemptRow(row: AttemptRow): DeliveryAttempt {
  return { at: row.at, isDelivered: row.is_delivered === 1, detail: row.detail }
}
