// Who may use a route. The check comes first, so that a stranger learns nothing from the answers.

import type { Context, MiddlewareHandler } from 'hono'
import type { TokenScope } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import type { ApiServices } from './api-options.ts'
import { authorize, identify, requireScope } from './authorize.ts'
import { error, header } from './route-answers.ts'
import type { Answers } from './route-answers.ts'

/** As the document calls the two ways to show who one is. */
export const TOKEN_SECURITY = 'accessToken'
export const SESSION_SECURITY = 'session'

/** `Asker`: what the check finds out about the caller. */
export interface Access<Asker> {
  readonly needs: string | null
  readonly security?: typeof TOKEN_SECURITY | typeof SESSION_SECURITY
  readonly faults: (method: string) => Answers
  readonly check: (context: Context, services: ApiServices) => Asker | Promise<Asker>
  /** Runs around the whole route, refusals included. */
  readonly around?: MiddlewareHandler
}

export const ANYONE: Access<null> = {
  needs: 'Needs no token.',
  faults: () => ({}),
  check: () => null,
}

/** A token with the scope, or a session of a user whose role has it. */
export function withScope(scope: TokenScope): Access<Caller> {
  return {
    needs: `Needs a token with scope ${scope}.`,
    security: TOKEN_SECURITY,
    faults: () => ({
      ...unauthorized(scope),
      403: error('`scope_denied`: the token lacks the scope.', {
        error: `This needs a token with scope ${scope}.`,
        code: 'scope_denied',
      }),
    }),
    check: (context, services) => authorize(context, services, scope),
  }
}

/** The same, or a session of somebody who leads a team: of what they see. */
export function withScopeOrLead(scope: TokenScope): Access<Caller> {
  return {
    ...withScope(scope),
    needs: `Needs a token with scope ${scope}, or the session of a team’s lead.`,
    check: async (context, services) => {
      const caller = await identify(context, services, scope)
      const isLead = caller.kind === 'session' && (caller.sight?.teams.length ?? 0) > 0
      if (!isLead) requireScope(caller, scope)
      return caller
    },
  }
}

export const CHALLENGE = { 'WWW-Authenticate': header('Always `Bearer`.') }

export function unauthorized(scope: TokenScope): Answers {
  return {
    401: {
      ...error('`unauthorized`: the token is missing, invalid, expired or revoked.', {
        error: `This access token has expired. Create one with: weir tokens create --name me --scope ${scope}`,
        code: 'unauthorized',
      }),
      headers: CHALLENGE,
    },
  }
}
