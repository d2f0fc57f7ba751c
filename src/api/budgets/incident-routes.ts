// Incidents over HTTP: what goes on, and what people say of it.

import { INCIDENT_MS_MAX } from '../../core/alerts/incident.ts'
import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { error } from '../route-answers.ts'
import {
  ALERT_ID_EXAMPLE,
  incidentChangeSchema,
  incidentListSchema,
  snoozeSchema,
} from './alert-contract.ts'
import type { AlertRow, IncidentChange } from './alert-contract.ts'
import { markIncident } from './mark-incident.ts'
import type { MarkRequest } from './mark-incident.ts'
import { toAlertRow } from './alert-row.ts'
import { toShownAlert } from './shown-to.ts'

const defineRoute = routesOf('Budgets')
const ALERT = {
  noun: 'alert',
  description: 'The id of an alert, `msg_…`.',
  example: ALERT_ID_EXAMPLE,
}
/** What people say of one. */
const MARK = {
  access: withScope('write:budgets'),
  sight: 'scoped',
  id: ALERT,
  answer: ok('How the incident stands now.', incidentChangeSchema),
  answers: { 409: error('`conflict`: the alert is no incident, or the incident is over.') },
} as const

type AnyCall = Call<unknown, unknown, unknown>

export const INCIDENT_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/incidents', {
    name: 'listIncidents',
    summary: 'Unusual spend that goes on, the largest first',
    description:
      'An incident is an alert of type `spend.anomaly`, here as in the log. It is over, and no longer listed, after a full UTC day without a jump. Those that were acknowledged or snoozed are listed as such.',
    access: withScope('read:usage'),
    sight: 'scoped',
    answer: ok('The incidents.', incidentListSchema),
    handle: async ({ services, caller }) => {
      const nowMs = services.clock.now()
      const sinceMs = nowMs - INCIDENT_MS_MAX
      const alerts = await services.settings.alerts.listRecent('spend.anomaly', sinceMs)
      const rows = alerts
        .map((alert) => toAlertRow(alert, nowMs))
        .filter(({ incident }) => incident !== null && incident.state !== 'over')
        .toSorted((one, other) => excessOf(other) - excessOf(one))
      return { rows: rows.map((row) => toShownAlert(row, caller)) }
    },
  }),
  defineRoute('POST /v1/alerts/{id}/acknowledge', {
    name: 'acknowledgeIncident',
    summary: 'Say that an incident is known',
    description:
      'It is no longer shown as open, however it grows. It takes no body, and replaces a snooze.',
    ...MARK,
    handle: (call) => mark(call, { kind: 'acknowledge' }),
  }),
  defineRoute('POST /v1/alerts/{id}/snooze', {
    name: 'snoozeIncident',
    summary: 'Hide an incident for a while',
    description:
      'It is open again at that time, or as soon as its excess is more than twice what it is now.',
    ...MARK,
    body: { schema: snoozeSchema, example: { until: '2026-03-16T09:00:00Z' } },
    handle: (call) => mark(call, { kind: 'snooze', until: Date.parse(call.body.until) }),
  }),
  defineRoute('POST /v1/alerts/{id}/reopen', {
    name: 'reopenIncident',
    summary: 'Show an incident as open again',
    description: 'Takes back an acknowledgement or a snooze. It takes no body; it is idempotent.',
    ...MARK,
    handle: (call) => mark(call, { kind: 'reopen' }),
  }),
]

function excessOf({ incident }: AlertRow): number {
  return incident?.excess_usd ?? 0
}

async function mark(
  { services: { settings, clock }, id, missing }: AnyCall,
  request: MarkRequest,
): Promise<IncidentChange> {
  return (await markIncident(id, request, { settings, nowMs: clock.now() })) ?? missing()
}
