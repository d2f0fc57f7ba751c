// A request's session, from the check to the handlers. Set only if no Authorization header came.

import type { Context } from 'hono'
import type { Caller } from '../../core/caller.ts'
import { ROLE_SCOPES } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'

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

export function toSessionCaller({ session, user }: FoundSession): Caller {
  return {
    kind: 'session',
    id: session.id,
    name: user.email,
    userId: user.id,
    scopes: ROLE_SCOPES[user.role],
  }
}
