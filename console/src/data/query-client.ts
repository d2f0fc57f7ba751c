// The one cache of the API's answers. Must stay true: when an answer says that no one is signed in,
// the cached session is dropped and `onSessionEnd` is called once, so that no page shows what its
// reader may no longer see. Only a page with something unsaved stays, covered: unsaved.ts.

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { SessionAnswer } from '../../../src/api/contract.ts'
import { ApiError } from './api-error.ts'
import { stayAtSessionEnd } from './unsaved.ts'

export const SESSION_KEY = ['session'] as const
export const USERS_KEY = ['users'] as const

const STALE_MS = 10_000
const RETRIES_MAX = 2

export function createQueryClient(onSessionEnd: () => void): QueryClient {
  const watch = (error: unknown): void => {
    if (!(error instanceof ApiError) || error.code !== 'unauthorized') return
    // Several queries fail at once; the first of them ends the session for all.
    if (!client.getQueryData<SessionAnswer | null>(SESSION_KEY)) return
    if (stayAtSessionEnd()) return
    client.setQueryData(SESSION_KEY, null)
    onSessionEnd()
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: canRetry, refetchOnWindowFocus: false },
    },
  })
  return client
}

/** Only what may be temporary: no answer, or a fault of the server. */
export function canRetry(failures: number, error: unknown): boolean {
  if (failures >= RETRIES_MAX) return false
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
