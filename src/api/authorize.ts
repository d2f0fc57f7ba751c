// Lets a request pass whose token or session has the scope that its path needs. Must stay true: it
// comes before anything else is looked at, so that a stranger learns nothing from what a path
// answers; and a token that is sent counts, whatever cookie comes with it.

import type { Context } from 'hono'
import { hasScope } from '../core/api-key.ts'
import type { AccessToken, TokenScope } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import { WeirError } from '../core/weir-error.ts'
import { TOUCH_INTERVAL_MS } from '../store/settings/token-store.ts'
import { describeError } from './answer-error.ts'
import type { ApiOptions } from './api-options.ts'
import { authenticate } from './authenticate.ts'
import { givenSession, sessionEnded, toSessionCaller } from './accounts/session-context.ts'

/** Throws `unauthorized`, then `scope_denied`. */
export async function authorize(
  context: Context,
  options: ApiOptions,
  scope: TokenScope,
): Promise<Caller> {
  const caller = await identify(context, options, scope)
  requireScope(caller, scope)
  return caller
}

/** Throws `unauthorized`; the scope is not looked at, only named to a caller without a token. */
export async function identify(
  context: Context,
  options: ApiOptions,
  scope: TokenScope,
): Promise<Caller> {
  const session = givenSession(context)
  if (session === 'ended') throw sessionEnded()
  if (session !== null) return toSessionCaller(session)
  const nowMs = options.clock.now()
  const { tokens } = options.settings
  const token = await authenticate(context.req.header('authorization'), { tokens, nowMs, scope })
  const { lastUsedAt } = token
  if (lastUsedAt === null || lastUsedAt <= nowMs - TOUCH_INTERVAL_MS) {
    // Behind the answer: no caller has to wait for the disk.
    setImmediate(() => void noteUse(token, options))
  }
  return { kind: 'token', id: token.id, name: token.name, userId: null, scopes: token.scopes }
}

async function noteUse(token: AccessToken, { settings, log }: ApiOptions): Promise<void> {
  try {
    await settings.tokens.touch(token.id)
  } catch (error) {
    // The next use is noted.
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
