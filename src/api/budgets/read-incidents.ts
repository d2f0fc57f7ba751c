// The incidents that are not over, for the API, the first page and the command line.

import { INCIDENT_MS_MAX } from '../../core/alerts/incident.ts'
import type { Clock } from '../../core/clock.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { AlertRow } from '../contract.ts'
import { toAlertRow } from './alert-row.ts'

export interface IncidentServices {
  readonly settings: Pick<SettingsStore, 'alerts'>
  readonly clock: Pick<Clock, 'now'>
}

/** The largest excess first. */
export async function readIncidentRows({
  settings,
  clock,
}: IncidentServices): Promise<readonly AlertRow[]> {
  const nowMs = clock.now()
  const alerts = await settings.alerts.listRecent('spend.anomaly', nowMs - INCIDENT_MS_MAX)
  return alerts
    .map((alert) => toAlertRow(alert, nowMs))
    .filter(({ incident }) => incident !== null && incident.state !== 'over')
    .toSorted((one, other) => excessOfRow(other) - excessOfRow(one))
}

function excessOfRow({ incident }: AlertRow): number {
  return incident?.excess_usd ?? 0
}
