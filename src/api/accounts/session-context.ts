// A request's session, from the check to the handlers. Set only if no Authorization header came.

import type { Context } from 'hono'
import { hasScope } from '../../core/api-key.ts'
import type { TokenScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { scopesOf } from '../../core/teams/sight.ts'
import { ROLE_SCOPES } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'
import type { ApiServices } from '../api-options.ts'
import { readSight } from '../sight/read-sight.ts'

const SESSION = 'session'

/** `ended`: a cookie without a session. */
export type GivenSession = FoundSession | 'ended'

export function setSession(context: Context, given: GivenSession): void {
  context.set(SESSION, given)
}

/** Null without a cookie. */
export function givenSession(context: Context): GivenSession | null {
  return (context.get(SESSION) as GivenSession | undefined) ?? null
}

export function requireSession(context: Context): FoundSession {
  const given = givenSession(context)
  if (given === null) throw new WeirError('unauthorized', 'No one has signed in here.')
  if (given === 'ended') throw sessionEnded()
  return given
}

export function sessionEnded(): WeirError {
  return new WeirError('unauthorized', 'This session has ended. Sign in again.')
}

/** In the whole company where the role has the scope; else within their teams. */
export async function toSessionCaller(
  { session, user }: FoundSession,
  { teamDirectory }: Pick<ApiServices, 'teamDirectory'>,
  scope: TokenScope,
): Promise<Caller> {
  const who = { kind: 'session', id: session.id, name: user.email, userId: user.id } as const
  const scopes = ROLE_SCOPES[user.role]
  if (hasScope({ scopes }, scope)) return { ...who, scopes, sight: null }
  const sight = await readSight(user.id, teamDirectory)
  return { ...who, scopes: scopesOf(sight), sight }
}
