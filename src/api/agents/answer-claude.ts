// All that the API answers of the URL at which Claude Code signs in; calls of the Messages API stay
// with the proxy. Paths and errors are the protocol's, so they are not declared as routes are.

import type { Context } from 'hono'
import { CLAUDE_BASE } from '../../core/agents/agent-relay.ts'
import type { KeyFault } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import { describeError } from '../answer-error.ts'
import type { AgentOptions, ApiServices } from '../api-options.ts'
import { json, messagesError, oauthError } from './agent-answers.ts'
import { toAgentRequest } from './agent-request.ts'
import type { AgentRequest } from './agent-request.ts'
import { findBearerKey } from './bearer-key.ts'
import { authorizeDevice, describeServer, giveToken, PATHS, revokeToken } from './device-flow.ts'
import { answerManagedSettings } from './managed-settings.ts'
import { answerUsage } from './spend-shown.ts'

// RFC 9110, section 11.1: the scheme is case-insensitive.
const BEARER = /^bearer +(\S+)$/i
/** A minute and key. */
const ASKED_MAX = 120

type Answer = (request: AgentRequest) => Response | Promise<Response>

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  // The client looks whether there is something before it begins.
  ['GET ', () => json({ status: 'ok' })],
  ['GET /.well-known/oauth-authorization-server', describeServer],
  [`POST ${PATHS.device}`, authorizeDevice],
  [`POST ${PATHS.token}`, giveToken],
  [`POST ${PATHS.revocation}`, revokeToken],
  ['GET /managed/settings', (request) => withKey(request, 'settings')],
  ['GET /api/oauth/usage', (request) => withKey(request, 'usage')],
])

export async function answerClaude(
  context: Context,
  services: ApiServices,
  agents: AgentOptions,
): Promise<Response> {
  const { path } = context.req
  const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
  const answer = ANSWERS.get(`${method} ${path.slice(CLAUDE_BASE.length).replace(/\/$/, '')}`)
  if (answer === undefined) {
    const message = 'There is nothing at this path of the gateway.'
    return messagesError({ status: 404, type: 'not_found_error', message })
  }
  try {
    return await answer(toAgentRequest(context, services, agents))
  } catch (error) {
    return answerFault(error, context, services)
  }
}

function answerFault(error: unknown, { req }: Context, { log }: ApiServices): Response {
  if (error instanceof WeirError && error.code === 'body_too_large') {
    return oauthError('invalid_request', 'The body is too large.', 413)
  }
  const route = req.path.slice(0, 100)
  log.error({ method: req.method, route, error: describeError(error) }, 'An agent was not answered')
  const message = 'The gateway cannot answer now. Try again in a moment.'
  return messagesError({ status: 503, type: 'api_error', message })
}

async function withKey(request: AgentRequest, what: 'settings' | 'usage'): Promise<Response> {
  const { context, services } = request
  const token = BEARER.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
  const found = await findBearerKey(token, services)
  if (found === null || found.fault !== null) return refuseBearer(found?.fault ?? null)
  const { key } = found
  const window = { group: 'agent', name: key.id, limit: ASKED_MAX, windowMs: 60_000 }
  if (!(await services.settings.counters.take(window)).isAllowed) {
    const message = 'Too many questions. Try again in a minute.'
    return messagesError({ status: 429, type: 'rate_limit_error', message })
  }
  return what === 'usage' ? answerUsage(key, services) : answerManagedSettings(request, key)
}

const FAULT_WORDS: Readonly<Record<KeyFault, string>> = {
  revoked_api_key: 'This sign-in has ended. Sign in again.',
  expired_api_key: 'This sign-in has expired. Sign in again.',
  key_paused: 'This sign-in is paused: ask an operator of Weir.',
}

function refuseBearer(fault: KeyFault | null): Response {
  const message = fault === null ? 'This is no sign-in of this gateway.' : FAULT_WORDS[fault]
  return messagesError({ status: 401, type: 'authentication_error', message })
}
