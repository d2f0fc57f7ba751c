// Unusual spend that goes on, and what users say of it.

import type { AlertRow, IncidentChange, IncidentList } from '../../../../src/api/contract.ts'
import { ask, toOne } from '../api-client.ts'
import { readQuery, useChange } from '../queries.ts'

const INCIDENTS_AGE_MS = 60_000

/** The log and the incidents begin with it, and are read again together. */
export const ALERTS_KEY = ['alerts'] as const

export const incidentsQuery = readQuery<IncidentList>(
  [...ALERTS_KEY, 'incidents'],
  '/v1/incidents',
  { refetchInterval: INCIDENTS_AGE_MS },
)

/** Those that deserve a look. */
export function listOpen({ rows }: IncidentList): readonly AlertRow[] {
  return rows.filter(({ incident }) => incident?.state === 'open')
}

export type IncidentWord =
  | { readonly word: 'acknowledge' | 'reopen' }
  | { readonly word: 'snooze'; readonly until: string }

export const useMarkIncident = (id: string) =>
  useChange(
    ({ word, ...body }: IncidentWord) =>
      ask<IncidentChange>(toOne('/v1/alerts', id, word), {
        method: 'POST',
        ...('until' in body && { body }),
      }),
    ALERTS_KEY,
  )

/** For how long it can be hidden. */
export const SNOOZE_CHOICES = [
  { label: 'For 4 hours', hours: 4 },
  { label: 'For a day', hours: 24 },
  { label: 'For 3 days', hours: 72 },
  { label: 'For a week', hours: 168 },
] as const

const HOUR_MS = 3_600_000

/** As the API takes it, to the second. */
export function toSnoozeEnd(hours: number, nowMs: number): string {
  return `${new Date(nowMs + hours * HOUR_MS).toISOString().slice(0, 19)}Z`
}
