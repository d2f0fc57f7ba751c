// GET /healthz, /readyz and /metrics of a node without an API, on a port of their own. Must stay
// true: a database that is away is a warning, never a reason to take callers away from the node.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toPortError } from '../ports.ts'

export interface HealthServerOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Why no call should be sent here, in a sentence; null when ready. */
  readonly findFault: () => Promise<string | null>
  /** What an operator should know although calls are served. */
  readonly listWarnings: () => readonly string[]
  readonly renderMetrics: () => Promise<string>
}

export interface HealthServer {
  readonly port: number
  close(): void
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const CONNECTIONS_MAX = 64
const TIMEOUT_MS = 10_000

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

export async function openHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { host, port } = options
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS })
  server.maxConnections = CONNECTIONS_MAX
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, options).then(({ status, type, body }) => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
      response.end(request.method === 'HEAD' ? '' : body)
    })
  })
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw toPortError({ host, port, setting: 'WEIR_STATUS' }, cause)
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(request: IncomingMessage, options: HealthServerOptions): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return toJson(405, 'Use GET.')
  switch (request.url ?? '') {
    case '/healthz':
      return toJson(200, { status: 'ok' })
    case '/readyz': {
      const reason = await options.findFault()
      if (reason !== null) return toJson(503, { status: 'unready', reason })
      const warnings = options.listWarnings()
      return toJson(200, { status: 'ok', ...(warnings.length === 0 ? {} : { warnings }) })
    }
    case '/metrics':
      return { status: 200, type: METRICS_TYPE, body: await options.renderMetrics() }
    default:
      return toJson(404, 'There are /healthz, /readyz and /metrics.')
  }
}

function toJson(status: number, body: object | string): Answer {
  const shown = typeof body === 'string' ? { error: body } : body
  return { status, type: 'application/json', body: JSON.stringify(shown) }
}
