// Acknowledges, snoozes and reopens incidents, for the API and the command line.

import { readIncident, toNamed } from '../../core/alerts/incident-alert.ts'
import { excessOf } from '../../core/alerts/incident.ts'
import { SNOOZE_MS_MAX, stateOf } from '../../core/alerts/incident-mark.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { IncidentChange } from '../contract.ts'
import { toMarkRow } from './alert-row.ts'

export type MarkRequest =
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'snooze'; readonly until: number }
  | { readonly kind: 'reopen' }

export interface MarkOptions {
  /** As the actor who says so. */
  readonly settings: Pick<SettingsStore, 'alerts' | 'incidentMarks'>
  readonly nowMs: number
}

/** Null where there is no such alert. Throws where it is no incident that goes on. */
export async function markIncident(
  id: string,
  request: MarkRequest,
  { settings, nowMs }: MarkOptions,
): Promise<IncidentChange | null> {
  const alert = await settings.alerts.find(id)
  if (alert === null) return null
  const incident = readIncident(alert)
  if (incident === null) {
    throw new WeirError('conflict', 'This alert is no incident.', {
      hint: 'Only unusual spend (spend.anomaly) can be acknowledged or snoozed.',
    })
  }
  if (stateOf(incident, alert.mark, nowMs) === 'over') {
    throw new WeirError('conflict', 'This incident is over.', {
      hint: 'It is no longer shown as open; there is nothing to do.',
    })
  }
  if (request.kind === 'snooze') checkUntil(request.until, nowMs)
  const named = { id, name: toNamed(incident.subjects[0]).name }
  const mark = await settings.incidentMarks.set(named, toMark(request, excessOf(incident)))
  if (mark === undefined) return null
  return { id, state: stateOf(incident, mark, nowMs), ...toMarkRow(mark) }
}

function toMark(request: MarkRequest, excess: bigint) {
  switch (request.kind) {
    case 'acknowledge':
      return { kind: 'acknowledged' } as const
    case 'snooze':
      return { kind: 'snoozed', until: request.until, excess } as const
    case 'reopen':
      return null
  }
}

function checkUntil(until: number, nowMs: number): void {
  if (until > nowMs && until <= nowMs + SNOOZE_MS_MAX) return
  const message = 'until must be in the future, and at most 30 days away.'
  throw new WeirError('invalid_argument', message, {
    hint: 'To hide an incident for good, acknowledge it.',
  })
}
