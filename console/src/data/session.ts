// Who has signed in, and what they may do. That no one is signed in is an answer (null), not an
// error. The server decides; this only hides buttons that would be refused.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type {
  SessionAnswer,
  SessionRequest,
  SetupRequest,
  SignIn,
  TokenRowAnswer,
  WelcomeRequest,
} from '../../../src/api/contract.ts'
import { ask } from './api-client.ts'
import { ApiError } from './api-error.ts'
import { readQuery } from './queries.ts'
import { SESSION_KEY } from './query-client.ts'
import { resumeSession, stayAtSessionEnd } from './unsaved.ts'

export type Scope = TokenRowAnswer['scopes'][number]

const SESSION_STALE_MS = 60_000

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal, client }) => {
    const session = await readSession(signal)
    if (session !== null || !stayAtSessionEnd()) return session
    return client.getQueryData<SessionAnswer>(SESSION_KEY) ?? null
  },
  staleTime: SESSION_STALE_MS,
})

async function readSession(signal?: AbortSignal): Promise<SessionAnswer | null> {
  try {
    return await ask<SessionAnswer>('/v1/session', signal === undefined ? {} : { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** From the cache where it has a user. Someone may since have signed in in another tab. */
export async function ensureSession(client: QueryClient): Promise<SessionAnswer | null> {
  const cached = client.getQueryData(sessionQuery.queryKey) ?? null
  return cached ?? (await client.fetchQuery({ ...sessionQuery, staleTime: 0 }))
}

/** What a page must know before sign-in. */
export const signInQuery = readQuery<SignIn>(['sign-in'], '/v1/sign-in')

/** Null while no one is signed in; never null on a page inside the shell. */
export function useSession(): SessionAnswer | null {
  return useQuery(sessionQuery).data ?? null
}

export function useCan(scope: Scope): boolean {
  return canDo(useSession(), scope)
}

export function canDo(session: SessionAnswer | null, scope: Scope): boolean {
  const scopes = session?.scopes ?? []
  return scopes.includes('admin') || scopes.includes(scope)
}

/** Rather than of teams alone: what is of Weir itself is not for the others. */
export function useSeesCompany(): boolean {
  return seesCompany(useSession())
}

export function seesCompany(session: SessionAnswer | null): boolean {
  return session !== null && session.user.role !== 'none'
}

/** Neither of the whole company nor a lead of a team. */
export function isMember(session: SessionAnswer): boolean {
  return !seesCompany(session) && !canDo(session, 'write:budgets')
}

/** Beside a control that is disabled for this role. */
export const READ_ONLY_REASON = 'Your role can view but not change this. Ask an administrator.'

export const useSignIn = () => useBegin<SessionRequest>('/v1/session')
export const useSetup = () => useBegin<SetupRequest>('/v1/setup')
export const useWelcome = () => useBegin<WelcomeRequest>('/v1/welcome')

/** A mutation that signs in. The page then navigates on. */
function useBegin<Body>(path: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) => ask<SessionAnswer>(path, { method: 'POST', body }),
    onSuccess: (session) => {
      // Another user of this browser must not see it.
      client.getQueryCache().clear()
      client.setQueryData(SESSION_KEY, session)
    },
  })
}

/** Whoever is signed in now; null for nobody. It is not kept. */
export const readSignedIn = (): Promise<SessionAnswer | null> => readSession()

/** For a page that stayed when its session ended; `useResume` then goes on with it. */
export function useSignInAgain() {
  return useMutation({
    mutationFn: (body: SessionRequest) =>
      ask<SessionAnswer>('/v1/session', { method: 'POST', body }),
    gcTime: 0,
  })
}

export function useResume(): (session: SessionAnswer) => void {
  const client = useQueryClient()
  return (session) => {
    client.setQueryData(SESSION_KEY, session)
    resumeSession()
    void client.invalidateQueries()
  }
}

/** Drops all that was read. The page then navigates to /sign-in; the same below. */
export function useForget(): () => void {
  const client = useQueryClient()
  return () => {
    resumeSession()
    client.getQueryCache().clear()
    client.setQueryData(SESSION_KEY, null)
  }
}

export function useSignOut() {
  const forget = useForget()
  return useMutation({
    mutationFn: () => ask<void>('/v1/session', { method: 'DELETE' }),
    onSuccess: forget,
  })
}
