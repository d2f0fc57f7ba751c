// A certified OpenID provider on loopback, from its package: its accounts are whoever a test says,
// and their claims may change between sign-ins.

import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBrowser } from '../browser.ts'
import type { Browser } from '../browser.ts'
import { CLIENT } from './identity-provider.ts'
import type { Claims } from './identity-provider.ts'

/** As much of it as is used here: the package has no types. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: { readonly login: { readonly accountId: string } },
  ): Promise<void>
  readonly Grant: new (of: { readonly clientId: string; readonly accountId: string }) => {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
}

interface Context {
  readonly oidc: {
    readonly provider: Provider
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

type ProviderClass = new (issuer: string, configuration: object) => Provider

export const SCOPES = 'openid email profile groups'
const STEPS_MAX = 10

export interface OidcProvider {
  readonly issuer: string
  /** To be called before the first sign-in: providers know where browsers may return to. */
  register(redirectUri: string): void
  /** Follows the browser from Weir's start to where it ends there, signed in as `sub`. */
  signIn(browser: Browser, claims: Claims & { readonly sub: string }): Promise<string>
  close(): Promise<void>
}

export async function openOidcProvider(): Promise<OidcProvider> {
  // A name that the compiler does not look up.
  const packageName: string = 'oidc-provider'
  const { default: Provider } = (await import(packageName)) as { readonly default: ProviderClass }
  const accounts = new Map<string, Claims>()
  let accountId = ''
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    if (provider === null) response.writeHead(503).end()
    else if (request.url?.startsWith('/interaction/') !== true) {
      provider.callback()(request, response)
    } else void provider.interactionFinished(request, response, { login: { accountId } })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    register(redirectUri) {
      provider = new Provider(issuer, toConfiguration(redirectUri, accounts))
    },
    async signIn(browser, claims) {
      accountId = claims.sub
      accounts.set(claims.sub, claims)
      const there = createBrowser(issuer)
      let at = (await browser.ask('/v1/oidc/start')).headers.get('location') ?? ''
      for (let step = 0; step < STEPS_MAX && at.startsWith(issuer); step += 1) {
        const answer = await there.ask(at.slice(issuer.length))
        const to = answer.headers.get('location')
        if (to === null) throw new Error(`${at}: ${answer.status} ${await answer.text()}`)
        at = new URL(to, issuer).href
      }
      const { pathname, search } = new URL(at)
      return (await browser.ask(pathname + search)).headers.get('location') ?? ''
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function toConfiguration(redirectUri: string, accounts: ReadonlyMap<string, Claims>): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of cookies'] },
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    // Weir reads the token alone.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...accounts.get(sub), sub }),
    }),
    loadExistingGrant: async ({ oidc }: Context) => {
      const { clientId } = oidc.client
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  }
}
