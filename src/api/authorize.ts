// Lets a request pass whose token has the scope that its path needs. Must stay true: it comes before
// anything else is looked at, so that a stranger learns nothing from what a path answers.

import type { Context } from 'hono'
import { hasScope } from '../core/api-key.ts'
import type { AccessToken, TokenScope } from '../core/api-key.ts'
import { WeirError } from '../core/weir-error.ts'
import { describeError } from './answer-error.ts'
import type { ApiOptions } from './api-options.ts'
import { authenticate } from './authenticate.ts'

/** Throws `unauthorized`, then `scope_denied`. */
export async function authorize(
  context: Context,
  options: ApiOptions,
  scope: TokenScope,
): Promise<AccessToken> {
  const { tokens } = options.settings
  const token = await authenticate(context.req.header('authorization'), {
    tokens,
    nowMs: options.clock.now(),
    scope,
  })
  try {
    await tokens.touch(token.id)
  } catch (error) {
    // Not knowing when a token was last used is no reason to keep its holder waiting.
    options.log.warn({ error: describeError(error) }, 'The last use of a token was not noted')
  }
  if (!hasScope(token, scope)) {
    throw new WeirError('scope_denied', `This needs a token with scope ${scope}.`)
  }
  return token
}
