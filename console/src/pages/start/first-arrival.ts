// Watches for a call to arrive. Must stay true: a call from before the watch began is never taken
// for it.

import { queryOptions } from '@tanstack/react-query'
import type { RequestPageAnswer, RequestRow } from '../../../../src/api/contract.ts'
import { ask, toPath } from '../../data/api-client.ts'

const POLL_MS = 2000

/** The newest call, of one key where there is one; null where there is none. */
export function newestCallQuery(keyId: string | undefined) {
  return queryOptions({
    queryKey: ['requests', 'newest', keyId],
    queryFn: ({ signal }) => readNewest(keyId, signal),
    refetchInterval: POLL_MS,
    // The call is made in another window.
    refetchIntervalInBackground: true,
    gcTime: 0,
  })
}

async function readNewest(
  keyId: string | undefined,
  signal: AbortSignal,
): Promise<RequestRow | null> {
  const path = toPath('/v1/requests', { limit: 1, api_key: keyId })
  return (await ask<RequestPageAnswer>(path, { signal })).rows[0] ?? null
}

export interface Watch {
  /** The newest call when the watch began; null without one, undefined while not known. */
  readonly before: string | null | undefined
  readonly newest: RequestRow | null | undefined
}

export function toArrival({ before, newest }: Watch): RequestRow | null {
  if (before === undefined || newest === undefined || newest === null) return null
  return newest.id === before ? null : newest
}

/** Its outcome, in a sentence. */
export function describeArrival({ status, http_status: code, error_code }: RequestRow): string {
  switch (status) {
    case 'delivered':
      return 'The whole answer reached the caller.'
    case 'refused':
      return `It reached the provider, which answered with an error${code === null ? '' : ` (${code})`}. Check the provider's key and the model.`
    case 'denied':
      return `Weir denied it${error_code === null ? '' : ` (${error_code})`}. It cost nothing.`
    case 'aborted':
      return 'The caller disconnected before the end.'
    case 'cut':
      return 'The connection to the provider broke, or could not be made.'
    case 'interrupted':
      return 'Weir was stopped while the call was running.'
  }
}
