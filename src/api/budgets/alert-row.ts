// An alert of the log as the API and the command line show it.

import { readIncident } from '../../core/alerts/incident-alert.ts'
import { stateOf } from '../../core/alerts/incident-mark.ts'
import type { IncidentMark } from '../../core/alerts/incident-mark.ts'
import { excessOf } from '../../core/alerts/incident.ts'
import type { Incident } from '../../core/alerts/incident.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { LoggedAlert } from '../../store/settings/alert-store.ts'
import type { AlertRow } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'

export function toAlertRow(alert: LoggedAlert, nowMs: number): AlertRow {
  const incident = readIncident(alert)
  return {
    id: alert.id,
    type: alert.kind,
    budget_id: alert.budgetId,
    at: toIso(alert.at),
    body: JSON.parse(alert.body) as AlertRow['body'],
    incident: incident === null ? null : toIncidentRow(incident, alert.mark, nowMs),
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

function toIncidentRow(
  incident: Incident,
  mark: IncidentMark | null,
  nowMs: number,
): AlertRow['incident'] {
  return {
    state: stateOf(incident, mark, nowMs),
    excess_usd: toAnswerUsd(excessOf(incident)),
    ...toMarkRow(mark),
  }
}

export function toMarkRow(mark: IncidentMark | null) {
  return {
    marked_at: toIsoOrNull(mark?.at ?? null),
    marked_by: mark?.by ?? null,
    snoozed_until: toIsoOrNull(mark?.kind === 'snoozed' ? mark.until : null),
  }
}
