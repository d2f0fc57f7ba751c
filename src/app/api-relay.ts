// How a proxy's worker asks the API what an agent asked it: over HTTP, on this machine or where the
// configuration says. No call waits for it.

import { Agent, request as askPlain } from 'node:http'
import type { RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as askTls } from 'node:https'

import { RELAY_HEADERS } from '../core/agents/agent-relay.ts'
import type { Config } from '../config/config.ts'
import type { TlsTexts } from '../config/tls-files.ts'
import type { AgentGateway, PassedAnswer, PassedRequest } from '../proxy/agents/agent-gateway.ts'
import type { Addresses } from './messages.ts'
import { toUrl } from './ports.ts'

const ANSWER_BYTES_MAX = 1_048_576
const SOCKETS_MAX = 16
const TIMEOUT_MS = 12_000

export interface ApiRelayOptions {
  readonly config: Config
  readonly tls: Pick<TlsTexts, 'api'>
  readonly addresses: Addresses
}

export interface ApiRelay extends AgentGateway {
  close(): void
}

/** Null where signing in is turned off, and where there is no API to ask. */
export function openApiRelay({ config, tls, addresses }: ApiRelayOptions): ApiRelay | null {
  const { claude, provider, apiUrl } = config.agents.signIn
  const { apiPort, relaySecret } = addresses
  if (claude === 'off' || (apiPort === null && apiUrl === undefined)) return null
  const isTls = tls.api !== null
  const own = apiPort === null ? null : toUrl({ host: config.api.host, port: apiPort, isTls })
  const url = new URL(apiUrl ?? own ?? '')
  const kept = { keepAlive: true, maxSockets: SOCKETS_MAX, timeout: TIMEOUT_MS }
  // The API of this node is known by its certificate itself, whatever names are in it.
  const pinned =
    apiUrl === undefined && tls.api !== null
      ? { ca: tls.api.cert, allowPartialTrustChain: true, checkServerIdentity: () => undefined }
      : {}
  const agent = url.protocol === 'https:' ? new TlsAgent({ ...kept, ...pinned }) : new Agent(kept)
  const scheme = config.tls.cert === undefined ? 'http' : 'https'
  return {
    providerId: provider,
    passOn: ({ headers, ...request }, signal) => {
      const { host = '', forwarded, ...others } = headers
      const { address } = request
      const hops = [others['x-forwarded-for'] ?? [], address].flat().join(', ')
      const added =
        apiUrl === undefined
          ? {
              ...(forwarded !== undefined && { forwarded }),
              [RELAY_HEADERS.secret]: relaySecret,
              [RELAY_HEADERS.address]: address,
              [RELAY_HEADERS.origin]: toOrigin(scheme, host),
            }
          : // Another machine's API knows the proxies by their addresses.
            { 'x-forwarded-for': hops }
      return ask({ ...request, headers: { ...others, ...added } }, { url, agent, signal })
    },
    close: () => agent.destroy(),
  }
}

/** Of a header that anybody writes: nothing but a host and a port goes on. */
function toOrigin(scheme: string, host: string): string {
  return URL.parse(`${scheme}://${host}`)?.origin ?? ''
}

interface Asked {
  readonly url: URL
  readonly agent: Agent
  readonly signal: AbortSignal
}

function ask(request: PassedRequest, { url, agent, signal }: Asked): Promise<PassedAnswer> {
  const { method, target, headers, body } = request
  const { promise, resolve, reject } = Promise.withResolvers<PassedAnswer>()
  const send = url.protocol === 'https:' ? askTls : askPlain
  const options: RequestOptions = {
    method,
    path: url.pathname.replace(/\/$/, '') + target,
    headers: { ...headers, 'content-length': body.length },
    agent,
    signal,
    timeout: TIMEOUT_MS,
  }
  const sent = send(url, options, (answer) => {
    const pieces: Buffer[] = []
    let bytesLeft = ANSWER_BYTES_MAX
    answer.on('data', (piece: Buffer) => {
      bytesLeft -= piece.length
      if (bytesLeft < 0) sent.destroy(new Error('the answer is too large'))
      else pieces.push(piece)
    })
    answer.on('error', reject)
    answer.on('end', () => {
      const texts = Object.entries(answer.headers).filter(([, value]) => typeof value === 'string')
      const returned = Object.fromEntries(texts) as Record<string, string>
      resolve({ status: answer.statusCode ?? 502, headers: returned, body: Buffer.concat(pieces) })
    })
  })
  sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
  sent.on('error', reject)
  sent.end(body)
  return promise
}
