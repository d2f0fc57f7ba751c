// Unusual spend that goes on, and what users say of it.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertRow, IncidentChange, IncidentList } from '../../../../src/api/contract.ts'
import { ask } from '../api-client.ts'

const INCIDENTS_AGE_MS = 60_000

/** The log and the incidents begin with it, and are read again together. */
export const ALERTS_KEY = ['alerts'] as const

export const incidentsQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'incidents'],
  queryFn: ({ signal }) => ask<IncidentList>('/v1/incidents', { signal }),
  refetchInterval: INCIDENTS_AGE_MS,
})

/** Those that deserve a look. */
export function listOpen({ rows }: IncidentList): readonly AlertRow[] {
  return rows.filter(({ incident }) => incident?.state === 'open')
}

export type IncidentWord =
  | { readonly word: 'acknowledge' | 'reopen' }
  | { readonly word: 'snooze'; readonly until: string }

export function useMarkIncident(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ word, ...body }: IncidentWord) =>
      ask<IncidentChange>(`/v1/alerts/${encodeURIComponent(id)}/${word}`, {
        method: 'POST',
        ...('until' in body && { body }),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ALERTS_KEY }),
  })
}
