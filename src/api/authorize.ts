// Lets a request pass whose token has the scope that its path needs. Must stay true: it comes before
// anything else is looked at, so that a stranger learns nothing from what a path answers.

import type { Context } from 'hono'
import { hasScope } from '../core/api-key.ts'
import type { AccessToken, TokenScope } from '../core/api-key.ts'
import { WeirError } from '../core/weir-error.ts'
import { TOUCH_INTERVAL_MS } from '../store/settings/settings-store.ts'
import { describeError } from './answer-error.ts'
import type { ApiOptions } from './api-options.ts'
import { authenticate } from './authenticate.ts'

/** Throws `unauthorized`, then `scope_denied`. */
export async function authorize(
  context: Context,
  options: ApiOptions,
  scope: TokenScope,
): Promise<AccessToken> {
  const token = await identify(context, options, scope)
  requireScope(token, scope)
  return token
}

/** Throws `unauthorized`; the scope is not looked at, only named to whoever has no token. */
export async function identify(
  context: Context,
  options: ApiOptions,
  scope: TokenScope,
): Promise<AccessToken> {
  const nowMs = options.clock.now()
  const { tokens } = options.settings
  const token = await authenticate(context.req.header('authorization'), { tokens, nowMs, scope })
  const { lastUsedAt } = token
  if (lastUsedAt === null || lastUsedAt <= nowMs - TOUCH_INTERVAL_MS) {
    // Behind the answer: nobody has to wait for the disk.
    setImmediate(() => void noteUse(token, options))
  }
  return token
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
export function requireScope(token: AccessToken, scope: TokenScope): void {
  if (!hasScope(token, scope)) {
    throw new WeirError('scope_denied', `This needs a token with scope ${scope}.`)
  }
}
