// What a request's session cookie came to, handed from the check to the handlers. It is set by
// session-check.ts alone, and only where no Authorization header was sent.

import type { Context } from 'hono'
import type { Caller } from '../../core/caller.ts'
import { ROLE_SCOPES } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'

const SESSION = 'session'

/** `ended` where there was a cookie, but no session behind it. */
export type GivenSession = FoundSession | 'ended'

export function setSession(context: Context, given: GivenSession): void {
  context.set(SESSION, given)
}

/** Null where no cookie came. */
export function givenSession(context: Context): GivenSession | null {
  return (context.get(SESSION) as GivenSession | undefined) ?? null
}

/** Throws `unauthorized`: for what only a user who has signed in may do. */
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
