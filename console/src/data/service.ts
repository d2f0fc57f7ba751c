// This Weir itself, and its first page.

import type { JournalState, Overview, Service, ServiceInfo } from '../../../src/api/contract.ts'
import { toPath } from './api-client.ts'
import { agedQuery, readQuery } from './queries.ts'

const INFO_STALE_MS = 600_000
const SERVICE_AGE_MS = 15_000

export const infoQuery = readQuery<ServiceInfo>(['info'], '/v1/info', { staleTime: INFO_STALE_MS })

/** All of one moment; by the API's own field where none is given. */
export function overviewOf(groupBy?: string) {
  const path = toPath('/v1/overview', { group_by: groupBy })
  // The first call may come at any moment.
  return agedQuery<Overview>(['overview', groupBy ?? null], path, ({ has_calls }) => has_calls)
}

export const overviewQuery = overviewOf()

export const serviceQuery = readQuery<Service>(['service'], '/v1/service', {
  refetchInterval: SERVICE_AGE_MS,
})

export const journalQuery = readQuery<JournalState>(['journal'], '/v1/journal', {
  refetchInterval: SERVICE_AGE_MS,
})
