// Listens, limits and drains. Must stay true: no connection takes more time or bytes than allowed.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Server as TcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { RequestError, getRequestListener } from '@hono/node-server'
import type { HttpBindings } from '@hono/node-server'
import { WeirError } from '../core/weir-error.ts'
import { watchHandshakes } from '../limits/tls-handshakes.ts'
import { answerError, DATABASE_AWAY, errorResponse } from './answer-error.ts'
import type { ApiOptions } from './api-options.ts'
import { boundConnections } from './bound-connections.ts'
import type { BoundConnections } from './bound-connections.ts'
import { createRoutes } from './routes.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export const API_LIMITS = {
  headBytesMax: 16_384,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  /** How often the timeouts above are checked. */
  timeoutCheckMs: 2_000,
  connectionsMax: 1024,
  /** Above that, when all of them wait for answers: for probes, and to refuse others. */
  spareConnectionsMax: 64,
  /** Answers are short: after this, open ones are cut off. */
  drainMs: 10_000,
} as const

/** Our own address (port 0 picks a free one), or a socket that another process has bound. */
export type ApiAddress = { readonly host: string; readonly port: number } | { readonly fd: number }

export interface ListenOptions {
  readonly at: ApiAddress
  /** In PEM. Without it the port speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | null
  readonly handshakeFailed?: () => void
}

export type ApiServerOptions = ApiOptions & ListenOptions

export interface ApiServer {
  readonly port: number
  /**
   * Resolves when open requests are answered. Idle connections stay for `idleMs` (0): with a
   * successor on the same port, a caller may be about to use one. Calling again only shortens it.
   */
  close(idleMs?: number): Promise<void>
}

export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { fetch } = createRoutes(options)
  return openServer(options, () => fetch)
}

export interface WaitingApiServer extends ApiServer {
  /** From now on requests are answered. */
  serve(options: ApiOptions): void
}

/** Until its stores can be reached, requests are answered 503, and none waits on an open port. */
export async function openWaitingApiServer(options: ServerOptions): Promise<WaitingApiServer> {
  let fetch: Fetch = answerAway
  const server = await openServer(options, () => fetch)
  return {
    ...server,
    serve: (services) => {
      ;({ fetch } = createRoutes(services))
    },
  }
}

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>
type ServerOptions = ListenOptions & Pick<ApiOptions, 'log' | 'limitHit'>

function answerAway(request: Request): Response {
  if (new URL(request.url).pathname === '/healthz') return Response.json({ status: 'ok' })
  return errorResponse('overloaded', DATABASE_AWAY, { ...SECURITY_HEADERS, 'Retry-After': '5' })
}

async function openServer(options: ServerOptions, getFetch: () => Fetch): Promise<ApiServer> {
  const listener = getRequestListener((request, env) => getFetch()(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? errorResponse(
            'bad_request',
            'The request has no valid address or Host header.',
            SECURITY_HEADERS,
          )
        : answerError(error, { method: '', route: '', log: options.log }),
  })
  const connections = boundConnections(API_LIMITS, options.limitHit ?? (() => {}))
  const port = createPort(options, connections)
  const { server } = port
  const drain = createDrain(port)
  server.on('request', (request, response) => {
    // So that the caller sends nothing more on a connection that ends.
    if (!server.listening) response.shouldKeepAlive = false
    response.on('close', drain.answered)
    if (connections.canAnswer(request, response)) void listener(request, response)
  })
  await listen(server, options.at)
  return { port: (server.address() as AddressInfo).port, close: drain.close }
}

interface Port {
  readonly server: Server
  readonly endHandshakes: () => void
}

const HTTP_OPTIONS = {
  maxHeaderSize: API_LIMITS.headBytesMax,
  headersTimeout: API_LIMITS.headTimeoutMs,
  requestTimeout: API_LIMITS.requestTimeoutMs,
  keepAliveTimeout: API_LIMITS.keepAliveTimeoutMs,
  connectionsCheckingInterval: API_LIMITS.timeoutCheckMs,
} as const

function createPort({ tls, handshakeFailed }: ListenOptions, connections: BoundConnections): Port {
  if (tls === undefined || tls === null) {
    const server = createServer(HTTP_OPTIONS)
    server.on('connection', (socket) => connections.add(socket, connections.admit(socket)))
    return { server, endHandshakes: () => {} }
  }
  const { cert, key } = tls
  const server = createTlsServer({ ...HTTP_OPTIONS, cert, key, minVersion: 'TLSv1.2' })
  const endHandshakes = watchHandshakes(server, {
    timeoutMs: API_LIMITS.headTimeoutMs,
    connected: (tcp) => connections.admit(tcp),
    secured: (socket, place) => connections.add(socket, place),
    failed: handshakeFailed ?? (() => {}),
  })
  return { server, endHandshakes }
}

async function listen(server: Server, at: ApiAddress): Promise<void> {
  server.listen({ ...at })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const place = 'fd' in at ? 'the socket it was given' : `${at.host}:${at.port}`
    if (cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE') {
      throw new WeirError('port_taken', `The API cannot listen on ${place}: the port is taken.`, {
        hint: 'Choose another with WEIR_API_PORT, or stop the program that has it.',
        cause,
      })
    }
    throw new WeirError('invalid_config', `The API cannot listen on ${place}.`, {
      hint: 'Check WEIR_API_HOST and WEIR_API_PORT.',
      cause,
    })
  }
}

interface Drain {
  /** Call it after each answer. */
  readonly answered: () => void
  readonly close: ApiServer['close']
}

function createDrain({ server, endHandshakes }: Port): Drain {
  let closed: Promise<unknown> | null = null
  let isEnding = false
  const endIdle = (): void => {
    isEnding = true
    endHandshakes()
    server.closeIdleConnections()
  }
  return {
    // A connection kept alive before would outlast the drain with nothing running on it.
    answered: () => {
      if (isEnding) server.closeIdleConnections()
    },
    close: async (idleMs = 0) => {
      if (closed === null) {
        closed = once(server, 'close')
        // The HTTP server's own close would end idle connections, perhaps just before use.
        TcpServer.prototype.close.call(server)
      }
      const idle = setTimeout(endIdle, idleMs)
      const deadline = setTimeout(() => server.closeAllConnections(), idleMs + API_LIMITS.drainMs)
      if (idleMs === 0) endIdle()
      await closed
      clearTimeout(idle)
      clearTimeout(deadline)
    },
  }
}
