// The user's own account: the password, and where they are signed in.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PasswordChange, SessionAnswer, SessionList } from '../../../../src/api/contract.ts'
import { ask, toOne } from '../../data/api-client.ts'
import { readQuery } from '../../data/queries.ts'
import { SESSION_KEY } from '../../data/query-client.ts'

const SESSIONS_KEY = ['sessions'] as const

export const sessionsQuery = readQuery<SessionList>(SESSIONS_KEY, '/v1/sessions')

/** Ends every other session. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PasswordChange) =>
      ask<SessionAnswer>('/v1/session/password', { method: 'POST', body }),
    gcTime: 0,
    onSuccess: async (session) => {
      client.setQueryData(SESSION_KEY, session)
      await client.invalidateQueries({ queryKey: SESSIONS_KEY })
    },
  })
}

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => ask<SessionList>(toOne('/v1/sessions', id), { method: 'DELETE' }),
    onSuccess: (list) => client.setQueryData(SESSIONS_KEY, list),
  })
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`; an unknown agent is shown by its first word. */
export function toAgentName(agent: string | null): string {
  if (agent === null) return 'Unknown browser'
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1]
  if (browser === undefined) return agent.split(' ')[0] ?? agent
  return system === undefined ? browser : `${browser} on ${system}`
}
