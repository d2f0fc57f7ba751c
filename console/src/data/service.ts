// This Weir itself, and what the first page shows beside its figures.

import { queryOptions } from '@tanstack/react-query'
import type { JournalState, Overview, Service, ServiceInfo } from '../../../src/api/contract.ts'
import { ask, askAged } from './api-client.ts'

const INFO_STALE_MS = 600_000
const SERVICE_AGE_MS = 15_000

export const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: ({ signal }) => ask<ServiceInfo>('/v1/info', { signal }),
  staleTime: INFO_STALE_MS,
})

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => askAged<Overview>('/v1/overview', { signal }),
  // The first call may come at any moment.
  staleTime: ({ state: { data } }) => (data?.has_calls === true ? data.maxAgeMs : 0),
  refetchInterval: (query) => query.state.data?.maxAgeMs ?? false,
})

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
