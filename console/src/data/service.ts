// This Weir itself, and its first page.

import { queryOptions } from '@tanstack/react-query'
import type { JournalState, Overview, Service, ServiceInfo } from '../../../src/api/contract.ts'
import { ask, askAged, toPath } from './api-client.ts'

const INFO_STALE_MS = 600_000
const SERVICE_AGE_MS = 15_000

export const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: ({ signal }) => ask<ServiceInfo>('/v1/info', { signal }),
  staleTime: INFO_STALE_MS,
})

/** All of one moment; by the dimension that most calls carry where none is given. */
export function overviewOf(dimKey?: string) {
  return queryOptions({
    queryKey: ['overview', dimKey ?? null],
    queryFn: ({ signal }) =>
      askAged<Overview>(toPath('/v1/overview', { dim_key: dimKey }), { signal }),
    // The first call may come at any moment.
    staleTime: ({ state: { data } }) => (data?.has_calls === true ? data.maxAgeMs : 0),
    refetchInterval: (query) => query.state.data?.maxAgeMs ?? false,
  })
}

export const overviewQuery = overviewOf()

export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => ask<Service>('/v1/service', { signal }),
  refetchInterval: SERVICE_AGE_MS,
})

export const journalQuery = queryOptions({
  queryKey: ['journal'],
  queryFn: ({ signal }) => ask<JournalState>('/v1/journal', { signal }),
  refetchInterval: SERVICE_AGE_MS,
})
