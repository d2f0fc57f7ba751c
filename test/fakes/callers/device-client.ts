// A client of the sign-in by device code that was written from the protocol alone (RFC 8414, RFC
// 8628, RFC 6749, RFC 7009), and knows nothing of Weir. It can call from an address of its own.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** Null where it is no JSON. */
  readonly json: Readonly<Record<string, unknown>> | null
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** On this machine: `127.0.0.2`. */
  readonly from?: string
}

export interface Discovered {
  readonly device: string
  readonly token: string
  readonly revocation: string
}

export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly email: string
  readonly expiresIn: number
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export async function askUrl(url: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body = '', from } = asked
  const sent = request(url, {
    method,
    headers: { ...headers, ...(body !== '' && { 'content-length': Buffer.byteLength(body) }) },
    agent: false,
    ...(from !== undefined && { localAddress: from }),
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, json: parse(text) }
}

function parse(text: string): Answer['json'] {
  try {
    return JSON.parse(text) as Answer['json']
  } catch {
    return null
  }
}

export function askForm(
  url: string,
  form: Readonly<Record<string, string>>,
  from?: string,
): Promise<Answer> {
  return askUrl(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'device-client/1.0',
      // What no server may refuse.
      'x-unknown': 'yes',
    },
    body: new URLSearchParams({ ...form, an_unknown_parameter: 'yes' }).toString(),
    ...(from !== undefined && { from }),
  })
}

export async function discover(base: string): Promise<Discovered> {
  const { status, json } = await askUrl(`${base}/.well-known/oauth-authorization-server`)
  assert.equal(status, 200)
  const { issuer, grant_types_supported: grants } = json ?? {}
  assert.equal(issuer, base)
  assert.deepEqual(grants, [DEVICE_GRANT, 'refresh_token'])
  const at = (name: string): string => {
    const url = String(json?.[name])
    assert.equal(new URL(url).origin, new URL(base).origin, 'on the same origin')
    return url
  }
  return {
    device: at('device_authorization_endpoint'),
    token: at('token_endpoint'),
    revocation: at('revocation_endpoint'),
  }
}

export interface DeviceCodes {
  readonly deviceCode: string
  readonly userCode: string
  readonly page: string
  readonly pageWithCode: string
}

export async function askCodes({ device }: Discovered, from?: string): Promise<DeviceCodes> {
  const { status, json, text } = await askForm(device, { surface: 'claude_code' }, from)
  assert.equal(status, 200, text)
  const { device_code: deviceCode, user_code: userCode, ...rest } = json ?? {}
  assert.match(String(deviceCode), /^[\w-]{43,}$/)
  assert.match(String(userCode), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal(rest['expires_in'], 600)
  assert.equal(rest['interval'], 5)
  return {
    deviceCode: String(deviceCode),
    userCode: String(userCode),
    page: String(rest['verification_uri']),
    pageWithCode: String(rest['verification_uri_complete']),
  }
}

export function poll({ token }: Discovered, deviceCode: string): Promise<Answer> {
  return askForm(token, { grant_type: DEVICE_GRANT, device_code: deviceCode })
}

export function refresh({ token }: Discovered, refreshToken: string, from?: string) {
  return askForm(token, { grant_type: 'refresh_token', refresh_token: refreshToken }, from)
}

export function toTokens({ status, json, text }: Answer): Tokens {
  assert.equal(status, 200, text)
  assert.equal(json?.['token_type'], 'Bearer')
  return {
    access: String(json?.['access_token']),
    refresh: String(json?.['refresh_token']),
    email: String(json?.['email']),
    expiresIn: Number(json?.['expires_in']),
  }
}
