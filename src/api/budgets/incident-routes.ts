// Incidents over HTTP: what goes on, and what people say of it.

import { toActor } from '../../core/caller.ts'
import type { Caller } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error, notFound } from '../route-answers.ts'
import {
  ALERT_ID_EXAMPLE,
  incidentChangeSchema,
  incidentListSchema,
  snoozeSchema,
} from './alert-contract.ts'
import type { IncidentChange } from './alert-contract.ts'
import { markIncident } from './mark-incident.ts'
import type { MarkRequest } from './mark-incident.ts'
import { readIncidentRows } from './read-incidents.ts'
import { toShownAlert } from './shown-to.ts'

const defineRoute = routesOf('Budgets')
const ID = { description: 'The id of an alert, `msg_…`.', example: ALERT_ID_EXAMPLE }
const MARKED = ok('How the incident stands now.', incidentChangeSchema)
const REFUSED = {
  404: error('`not_found`: there is no such alert.'),
  409: error('`conflict`: the alert is no incident, or the incident is over.'),
}

export const INCIDENT_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/incidents', {
    name: 'listIncidents',
    summary: 'Unusual spend that goes on, the largest first',
    description:
      'An incident is an alert of type `spend.anomaly`, here as in the log. It is over, and no longer listed, after a full UTC day without a jump. Those that were acknowledged or snoozed are listed as such.',
    access: withScope('read:usage'),
    answer: ok('The incidents.', incidentListSchema),
    handle: async ({ services, caller }) => {
      const rows = await readIncidentRows(services)
      return { rows: rows.map((row) => toShownAlert(row, caller)) }
    },
  }),
  defineRoute('POST /v1/alerts/{id}/acknowledge', {
    name: 'acknowledgeIncident',
    summary: 'Say that an incident is known',
    description:
      'It is no longer shown as open, however it grows. It takes no body, and replaces a snooze.',
    access: withScope('write:budgets'),
    id: ID,
    answer: MARKED,
    answers: REFUSED,
    handle: ({ services, caller, id }) => mark(id, { kind: 'acknowledge' }, { services, caller }),
  }),
  defineRoute('POST /v1/alerts/{id}/snooze', {
    name: 'snoozeIncident',
    summary: 'Hide an incident for a while',
    description:
      'It is open again at that time, or as soon as its excess is more than twice what it is now.',
    access: withScope('write:budgets'),
    id: ID,
    body: { schema: snoozeSchema, example: { until: '2026-03-16T09:00:00Z' } },
    answer: MARKED,
    answers: REFUSED,
    handle: ({ services, caller, id, body }) => {
      const until = Date.parse(body.until)
      return mark(id, { kind: 'snooze', until }, { services, caller })
    },
  }),
  defineRoute('POST /v1/alerts/{id}/reopen', {
    name: 'reopenIncident',
    summary: 'Show an incident as open again',
    description: 'Takes back an acknowledgement or a snooze. It takes no body; it is idempotent.',
    access: withScope('write:budgets'),
    id: ID,
    answer: MARKED,
    answers: REFUSED,
    handle: ({ services, caller, id }) => mark(id, { kind: 'reopen' }, { services, caller }),
  }),
]

interface MarkContext {
  readonly services: ApiServices
  readonly caller: Caller
}

async function mark(
  id: string,
  request: MarkRequest,
  { services, caller }: MarkContext,
): Promise<IncidentChange> {
  const settings = services.settings.as(toActor(caller))
  const change = await markIncident(id, request, { settings, nowMs: services.clock.now() })
  return change ?? notFound('alert', '/v1/alerts')
}
