// An identity provider on loopback: discovery, keys, and codes for tokens signed by RS256. It
// checks what a real one checks (client, redirect address, PKCE, one use of a code) and can be made
// to err.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const CLIENT = { clientId: 'weir', clientSecret: 'a client secret' }

export type Claims = Readonly<Record<string, unknown>>

export interface IdentityProvider {
  readonly issuer: string
  /** Refuses every request while true. */
  isDown: boolean
  /** As if a user had signed in there: the path and query with which the browser comes back. */
  grant(authorizationUrl: string, claims: Claims): string
  /** Signs from now on with a key that it does not publish. */
  forge(): void
  close(): Promise<void>
}

interface Granted {
  readonly challenge: string
  readonly redirectUri: string
  readonly claims: Claims
}

const KEY_ID = 'key-1'
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

// Made once: drawing them takes longer than everything else here.
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function openIdentityProvider(): Promise<IdentityProvider> {
  const granted = new Map<string, Granted>()
  let signingKey: KeyObject = privateKey
  const server = createServer((request, response) => {
    if (provider.isDown) request.socket.destroy()
    else void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').slice('/realm'.length)
    const [status, body] =
      path === '/token' ? redeem(await readForm(request)) : [200, describe(path)]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  const describe = (path: string): object => {
    if (path === '/keys') {
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig' }] }
    }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }

  const redeem = (form: URLSearchParams): readonly [number, object] => {
    const code = form.get('code') ?? ''
    const grant = granted.get(code)
    granted.delete(code)
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '')
    const isClient =
      form.get('client_id') === CLIENT.clientId && form.get('client_secret') === CLIENT.clientSecret
    if (!isClient) return [401, { error: 'invalid_client' }]
    if (
      grant === undefined ||
      grant.challenge !== challenge.digest('base64url') ||
      grant.redirectUri !== form.get('redirect_uri')
    ) {
      return [400, { error: 'invalid_grant' }]
    }
    return [200, { access_token: 'a', token_type: 'bearer', id_token: signToken(grant.claims) }]
  }

  const signToken = (claims: Claims): string => {
    const head = `${encode({ alg: 'RS256', kid: KEY_ID })}.${encode(claims)}`
    return `${head}.${sign('sha256', Buffer.from(head), signingKey).toString('base64url')}`
  }

  const provider: IdentityProvider = {
    issuer,
    isDown: false,
    grant: (authorizationUrl, claims) => {
      const asked = new URL(authorizationUrl).searchParams
      const code = randomBytes(8).toString('hex')
      const iat = Math.floor(Date.now() / 1000)
      const nonce = asked.get('nonce')
      const usual = { iss: issuer, aud: CLIENT.clientId, iat, exp: iat + 300, nonce }
      granted.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
        claims: { ...usual, ...claims },
      })
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
      return back.pathname + back.search
    },
    forge: () => {
      signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
