// A request of an agent for the API, as it comes by a proxy. Must stay true: where it comes from,
// and which URL was called, is taken only from the proxy of this node, or as anybody else's.

import { timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { CLAUDE_BASE, RELAY_HEADERS } from '../../core/agents/agent-relay.ts'
import type { AgentOptions, ApiServices } from '../api-options.ts'
import { addressOf } from '../accounts/session-check.ts'

export interface AgentRequest {
  readonly context: Context
  readonly services: ApiServices
  readonly agents: AgentOptions
  readonly address: string
  /** What the client was told to sign in at: all paths are below it. */
  readonly base: string
  /** The page where a person enters the code. */
  readonly page: string
}

export function toAgentRequest(
  context: Context,
  services: ApiServices,
  agents: AgentOptions,
): AgentRequest {
  const isOwn = isOwnProxy(context, agents.relaySecret)
  const origin = isOwn ? context.req.header(RELAY_HEADERS.origin) : undefined
  const called = agents.publicUrl ?? origin ?? services.info.proxyUrl
  return {
    context,
    services,
    agents,
    address: isOwn ? toRelayedAddress(context, services) : addressOf(context, services),
    base: called + CLAUDE_BASE,
    page: `${toConsoleUrl(context, services, isOwn ? called : null)}/device`,
  }
}

function isOwnProxy({ req }: Context, secret: string | null): boolean {
  const given = Buffer.from(req.header(RELAY_HEADERS.secret) ?? '')
  const own = Buffer.from(secret ?? '')
  return own.length > 0 && given.length === own.length && timingSafeEqual(given, own)
}

/** As if it had called the API itself: trusted proxies are before both. */
function toRelayedAddress(context: Context, { clientAddress }: ApiServices): string {
  const { headers } = (context.env as HttpBindings).incoming
  const remoteAddress = context.req.header(RELAY_HEADERS.address)
  return clientAddress({ headers, socket: { remoteAddress } })
}

/** Without a public URL it is this port, on the host that the client reached. */
function toConsoleUrl(context: Context, { signIn }: ApiServices, called: string | null): string {
  if (signIn.publicUrl !== null) return signIn.publicUrl
  const here = new URL(context.req.url)
  const { hostname } = called === null ? here : new URL(called)
  return `${signIn.isTls ? 'https' : 'http'}://${hostname}:${here.port}`
}
