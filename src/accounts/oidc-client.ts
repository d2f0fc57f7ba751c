// The identity provider, through openid-client. Must stay true: an identity is returned only with
// signature, nonce and audience checked; a provider that does not answer is an outcome.

import {
  ClientSecretPost,
  None,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Configuration } from 'openid-client'
import type { Clock } from '../core/clock.ts'
import type { OidcOptions } from './sign-in-options.ts'

const REQUEST_TIMEOUT_SECONDS = 10
/** Endpoints move and keys change: discovery is repeated after this time. */
const DISCOVERY_KEPT_MS = 3_600_000

/** Kept by the browser while the user is at the provider. */
export interface OidcChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type OidcClaims = Readonly<Record<string, unknown>>

export type OidcStart =
  | { readonly kind: 'ready'; readonly url: string; readonly checks: OidcChecks }
  | { readonly kind: 'unreachable'; readonly cause: unknown }

export type OidcEnd =
  | { readonly kind: 'proved'; readonly claims: OidcClaims }
  | { readonly kind: 'refused'; readonly cause: unknown }
  | { readonly kind: 'unreachable'; readonly cause: unknown }

export interface OidcClient {
  begin(redirectUri: string): Promise<OidcStart>
  finish(returned: URL, checks: OidcChecks): Promise<OidcEnd>
}

export function createOidcClient(options: OidcOptions, clock: Clock): OidcClient {
  const discover = createDiscovery(options, clock)
  return {
    async begin(redirectUri) {
      const found = await discover()
      if (found.kind === 'unreachable') return found
      const [state, nonce] = [randomState(), randomNonce()]
      const verifier = randomPKCECodeVerifier()
      const url = buildAuthorizationUrl(found.provider, {
        redirect_uri: redirectUri,
        scope: options.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { kind: 'ready', url: url.href, checks: { state, nonce, verifier } }
    },
    async finish(returned, { state, nonce, verifier }) {
      const found = await discover()
      if (found.kind === 'unreachable') return found
      try {
        const tokens = await authorizationCodeGrant(found.provider, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return { kind: 'proved', claims: { ...tokens.claims() } }
      } catch (cause) {
        return { kind: isNetworkFault(cause) ? 'unreachable' : 'refused', cause }
      }
    },
  }
}

type Discovery =
  | { readonly kind: 'found'; readonly provider: Configuration }
  | { readonly kind: 'unreachable'; readonly cause: unknown }

/** One discovery at a time; after a failure the next caller tries again. */
function createDiscovery(options: OidcOptions, clock: Clock): () => Promise<Discovery> {
  let kept: { readonly at: number; readonly outcome: Promise<Discovery> } | null = null
  return async () => {
    const now = clock.monotonic()
    if (kept === null || now - kept.at >= DISCOVERY_KEPT_MS) {
      kept = { at: now, outcome: discoverProvider(options) }
    }
    const asked = kept
    const outcome = await asked.outcome
    if (outcome.kind === 'unreachable' && kept === asked) kept = null
    return outcome
  }
}

async function discoverProvider(options: OidcOptions): Promise<Discovery> {
  const { issuer, clientId, clientSecret } = options
  const server = new URL(issuer)
  const authentication = clientSecret === null ? None() : ClientSecretPost(clientSecret)
  try {
    const provider = await discovery(server, clientId, undefined, authentication, {
      timeout: REQUEST_TIMEOUT_SECONDS,
      // The configuration takes http on loopback only.
      execute: server.protocol === 'http:' ? [allowInsecureRequests] : [],
    })
    // Otherwise the token would be trusted because of its connection; its signature proves more.
    enableNonRepudiationChecks(provider)
    return { kind: 'found', provider }
  } catch (cause) {
    return { kind: 'unreachable', cause }
  }
}

function isNetworkFault(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 3) return false
  const isOwn = error.name === 'TimeoutError' || error.message === 'fetch failed'
  return isOwn || isNetworkFault(error.cause, depth + 1)
}
