// The URL at which an agent signs in and calls. Calls of the Messages API are relayed as those of
// their provider are; all else is the API's to answer, or is taken and dropped.

import { CLAUDE_BASE } from '../../core/agents/agent-relay.ts'
import type { RequestHead } from '../../wire/http/http-head.ts'

export interface PassedRequest {
  readonly method: string
  readonly target: string
  /** In lower case; the only ones that go along. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Of the caller. */
  readonly address: string
}

export interface PassedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface AgentGateway {
  readonly providerId: string
  /** To the API; it rejects where that does not answer. */
  readonly passOn: (request: PassedRequest, signal: AbortSignal) => Promise<PassedAnswer>
}

export type AgentPath =
  | { readonly kind: 'call'; readonly target: string }
  | { readonly kind: 'telemetry' | 'api' }

const CALL = /^(?:POST \/v1\/messages(?:\/count_tokens)?|GET \/v1\/models(?:\/[^/?]+)?)(?:\?|$)/
const TELEMETRY = /^POST \/v1\/(?:metrics|logs|traces)(?:\?|$)/

/** Null for what is not at that URL. */
export function findAgentPath(
  { method, target }: Pick<RequestHead, 'method' | 'target'>,
  gateway: Pick<AgentGateway, 'providerId'> | null,
): AgentPath | null {
  if (gateway === null || !target.startsWith(CLAUDE_BASE)) return null
  const rest = target.slice(CLAUDE_BASE.length)
  if (rest !== '' && rest[0] !== '/' && rest[0] !== '?') return null
  const asked = `${method} ${rest}`
  if (CALL.test(asked)) return { kind: 'call', target: `/v1/${gateway.providerId}${rest}` }
  return { kind: TELEMETRY.test(asked) ? 'telemetry' : 'api' }
}
