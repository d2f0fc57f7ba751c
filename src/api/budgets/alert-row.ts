// An alert of the log as the API and the command line show it.

import type { LoggedAlert } from '../../store/settings/alert-store.ts'
import type { AlertRow } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'

export function toAlertRow(alert: LoggedAlert): AlertRow {
  return {
    id: alert.id,
    type: alert.kind,
    budget_id: alert.budgetId,
    at: toIso(alert.at),
    body: JSON.parse(alert.body) as AlertRow['body'],
    deliveries: alert.deliveries.map(({ targetId, kind, address, state, nextAt, attempts }) => ({
      target_id: targetId,
      kind,
      address,
      state,
      next_at: toIsoOrNull(nextAt),
      attempts: attempts.map(({ at, isDelivered, detail }) => ({
        at: toIso(at),
        delivered: isDelivered,
        detail,
      })),
    })),
  }
}
