// Checks a request's token or session for a scope. Must stay true: nothing else is read before, and
// a token wins over a cookie.

import type { Context } from 'hono'
import { hasScope } from '../core/api-key.ts'
import type { AccessToken, TokenScope } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import { sightOfTeam } from '../core/teams/sight.ts'
import { WeirError } from '../core/weir-error.ts'
import { TOUCH_INTERVAL_MS } from '../store/settings/token-store.ts'
import { describeError } from './answer-error.ts'
import type { ApiServices } from './api-options.ts'
import { authenticate } from './authenticate.ts'
import { givenSession, sessionEnded, toSessionCaller } from './accounts/session-context.ts'

/** Throws `unauthorized`, then `scope_denied`. */
export async function authorize(
  context: Context,
  options: ApiServices,
  scope: TokenScope,
): Promise<Caller> {
  const caller = await identify(context, options, scope)
  requireScope(caller, scope)
  return caller
}

/** Throws `unauthorized`. The scope is not checked; it says where a person asks for it. */
export async function identify(
  context: Context,
  options: ApiServices,
  scope: TokenScope,
): Promise<Caller> {
  if (options.caller !== undefined) return options.caller
  const session = givenSession(context)
  if (session === 'ended') throw sessionEnded()
  if (session !== null) return toSessionCaller(session, options, scope)
  const nowMs = options.clock.now()
  const { tokens } = options.settings
  const token = await authenticate(context.req.header('authorization'), { tokens, nowMs, scope })
  const { lastUsedAt } = token
  if (lastUsedAt === null || lastUsedAt <= nowMs - TOUCH_INTERVAL_MS) {
    // After the answer: no caller waits for the disk.
    setImmediate(() => void noteUse(token, options))
  }
  const { id, name, scopes, teamId } = token
  const sight = teamId === null ? null : sightOfTeam(teamId)
  return { kind: 'token', id, name, userId: null, scopes, sight }
}

async function noteUse(token: AccessToken, { settings, log }: ApiServices): Promise<void> {
  try {
    await settings.tokens.touch(token.id)
  } catch (error) {
    log.warn({ error: describeError(error) }, 'The last use of a token was not noted')
  }
}

/** Throws `scope_denied`. */
export function requireScope(caller: Pick<Caller, 'kind' | 'scopes'>, scope: TokenScope): void {
  if (hasScope(caller, scope)) return
  const text =
    caller.kind === 'token'
      ? `This needs a token with scope ${scope}.`
      : `Your role may not do this: it needs scope ${scope}.`
  throw new WeirError('scope_denied', text)
}
