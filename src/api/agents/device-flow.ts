// Signing in without a key: device authorization (RFC 8628), tokens (RFC 6749) and their revocation
// (RFC 7009). The access token is the current secret of a personal key, so that all that holds for
// such a key holds for the token. Parameters that are not known are ignored.

import {
  ACCESS_MS,
  createUserCode,
  DEVICE_CODE_MS,
  POLL_SECONDS,
  REFRESH_MS,
} from '../../core/agents/device-code.ts'
import {
  createSecret,
  formatCredential,
  hashSecret,
  parseKeyCredential,
  parseRefreshCredential,
} from '../../core/ids.ts'
import type { IssuedTokens, NextTokens } from '../../store/settings/device-sign-in-store.ts'
import { readText } from '../parse-body.ts'
import { json, oauthError } from './agent-answers.ts'
import type { AgentRequest } from './agent-request.ts'
import { findBearerKey } from './bearer-key.ts'

/** A minute, and from one address. */
const ASKED_MAX = 20
const TOKENS_MAX = 600
const BODY_BYTES_MAX = 16_384
const AGENT_CHARS_MAX = 200
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export const PATHS = {
  device: '/oauth/device_authorization',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
} as const

/** RFC 8414. Both endpoints are of the base's origin, or the client would not use them. */
export function describeServer({ base }: AgentRequest): Response {
  return json({
    issuer: base,
    device_authorization_endpoint: base + PATHS.device,
    token_endpoint: base + PATHS.token,
    revocation_endpoint: base + PATHS.revocation,
    grant_types_supported: [DEVICE_GRANT, 'refresh_token'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  })
}

export async function authorizeDevice(request: AgentRequest): Promise<Response> {
  const { services, context, address, page } = request
  await readForm(request)
  if (!(await isWithin(request, 'device', ASKED_MAX)))
    return tooMany('Too many sign-ins begin here.')
  const [deviceCode, userCode] = [createSecret(), createUserCode()]
  const agent = context.req.header('user-agent')?.slice(0, AGENT_CHARS_MAX) ?? null
  const [codeHash, deviceHash] = [hashSecret(userCode), hashSecret(deviceCode)]
  const asked = { codeHash, deviceHash, agent, address }
  if (!(await services.settings.deviceSignIns.ask(asked))) {
    return tooMany('Too many sign-ins wait to be approved.')
  }
  return json({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: DEVICE_CODE_MS / 1000,
    interval: POLL_SECONDS,
  })
}

export async function giveToken(request: AgentRequest): Promise<Response> {
  const form = await readForm(request)
  if (!(await isWithin(request, 'device token', TOKENS_MAX))) return tooMany('Too many requests.')
  switch (form.get('grant_type') ?? '') {
    case DEVICE_GRANT:
      return redeem(request, form.get('device_code') ?? '')
    case 'refresh_token':
      return refresh(request, form.get('refresh_token') ?? '')
    default:
      return oauthError('unsupported_grant_type', 'This is for device codes and refresh tokens.')
  }
}

async function redeem(request: AgentRequest, deviceCode: string): Promise<Response> {
  const made = createTokens(request)
  const { deviceSignIns } = request.services.settings
  const redeemed = await deviceSignIns.redeem(hashSecret(deviceCode), made.next)
  switch (redeemed.kind) {
    case 'issued':
      return answerTokens(request, redeemed, made)
    case 'pending':
      return oauthError('authorization_pending', 'The person has not decided yet.')
    case 'slow_down':
      return oauthError('slow_down', `Ask every ${POLL_SECONDS} seconds.`)
    case 'denied':
      return oauthError('access_denied', 'The sign-in was denied.')
    case 'expired':
      return oauthError('expired_token', 'The code has expired. Sign in again.')
    case 'unknown':
      return oauthError('invalid_grant', 'This device code is wrong, or was used.')
  }
}

async function refresh(request: AgentRequest, token: string): Promise<Response> {
  const { services, address } = request
  const given = parseRefreshCredential(token)
  const made = createTokens(request)
  const refreshed =
    given === null ? null : await services.settings.deviceSignIns.refresh(given, made.next)
  if (refreshed?.kind === 'issued') return answerTokens(request, refreshed, made)
  if (refreshed?.kind === 'reused') {
    const fields = { id: given?.id, address }
    services.log.warn(fields, 'A refresh token came twice, from two addresses: its sign-in ended')
  }
  return oauthError('invalid_grant', 'This sign-in has ended. Sign in again.', 401)
}

/** RFC 7009, section 2.2: the answer is the same whatever the token is. */
export async function revokeToken(request: AgentRequest): Promise<Response> {
  const { services } = request
  const { deviceSignIns } = services.settings
  const token = (await readForm(request)).get('token') ?? ''
  if (!(await isWithin(request, 'device token', TOKENS_MAX))) return tooMany('Too many requests.')
  const given = parseRefreshCredential(token)
  if (given !== null) await deviceSignIns.end(given)
  else if (parseKeyCredential(token) !== null) {
    const found = await findBearerKey(token, services)
    if (found !== null) await deviceSignIns.end({ keyId: found.key.id })
  }
  return json({})
}

interface MadeTokens {
  readonly access: string
  readonly refresh: string
  readonly next: NextTokens
}

function createTokens({ services, address }: AgentRequest): MadeTokens {
  const [access, refresh] = [createSecret(), createSecret()]
  const accessEndsAt = services.clock.now() + ACCESS_MS
  const next = {
    secretHash: hashSecret(access),
    accessEndsAt,
    refreshHash: hashSecret(refresh),
    refreshEndsAt: accessEndsAt + REFRESH_MS,
    address,
  }
  return { access, refresh, next }
}

async function answerTokens(
  { services }: AgentRequest,
  { id, keyId, userId }: IssuedTokens,
  made: MadeTokens,
): Promise<Response> {
  const user = await services.settings.users.find({ id: userId })
  return json({
    access_token: formatCredential({ id: keyId, secret: made.access }),
    token_type: 'Bearer',
    expires_in: ACCESS_MS / 1000,
    refresh_token: formatCredential({ id, secret: made.refresh }),
    ...(user !== null && { email: user.email }),
  })
}

async function readForm({ context }: AgentRequest): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(context, BODY_BYTES_MAX))
}

async function isWithin(request: AgentRequest, group: string, limit: number): Promise<boolean> {
  const { counters } = request.services.settings
  const window = { group, name: request.address, limit, windowMs: 60_000 }
  return (await counters.take(window)).isAllowed
}

function tooMany(description: string): Response {
  return oauthError('slow_down', `${description} Wait a minute.`, 429)
}
