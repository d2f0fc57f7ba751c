// Finds a request's access token. Must stay true: without the secret nothing is learned of a token.

import type { AccessToken, TokenScope } from '../core/api-key.ts'
import { isSecretOf, parseTokenCredential } from '../core/ids.ts'
import { WeirError } from '../core/weir-error.ts'
import type { TokenStore } from '../store/settings/token-store.ts'

// RFC 9110, section 11.1: the scheme is case-insensitive.
const BEARER = /^bearer +(\S+)$/i

export interface AuthenticateOptions {
  readonly tokens: Pick<TokenStore, 'find'>
  readonly nowMs: number
  /** A refusal says how to get a token with it. */
  readonly scope: TokenScope
}

/** Throws `unauthorized`. */
export async function authenticate(
  authorization: string | undefined,
  options: AuthenticateOptions,
): Promise<AccessToken> {
  const unauthorized = (message: string): WeirError =>
    new WeirError('unauthorized', message, {
      hint: `Create one with: weir tokens create --name me --scope ${options.scope}`,
    })
  if (authorization === undefined) {
    throw unauthorized('Send an access token as "Authorization: Bearer svc_agt_…".')
  }
  const credential = parseTokenCredential(BEARER.exec(authorization)?.[1] ?? '')
  if (credential === null) {
    throw unauthorized('The Authorization header must be "Bearer" and an access token, svc_agt_….')
  }
  const token = await options.tokens.find(credential.id)
  if (token === null || !isSecretOf(credential.secret, token.secretHash)) {
    throw unauthorized('There is no such access token.')
  }
  if (token.revokedAt !== null) throw unauthorized('This access token was revoked.')
  if (token.expiresAt !== null && token.expiresAt <= options.nowMs) {
    throw unauthorized('This access token has expired.')
  }
  return token
}
