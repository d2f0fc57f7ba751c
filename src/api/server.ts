// The API's door: listens, sets the limits, and drains when it is closed.
// Must stay true: no connection can hold the server for longer, or send more, than is named here.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RequestError, getRequestListener } from '@hono/node-server'
import { WeirError } from '../core/weir-error.ts'
import { answerError, errorResponse } from './answer-error.ts'
import { createRoutes } from './routes.ts'
import type { ApiOptions } from './routes.ts'

export const API_LIMITS = {
  headBytesMax: 16_384,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  /** How often the timeouts above are looked at. */
  timeoutCheckMs: 2_000,
  connectionsMax: 1024,
  /** Answers are short: what still runs after this is cut off. */
  drainMs: 10_000,
} as const

/** An address of our own (port 0 picks a free one), or a socket that another process has bound. */
export type ApiAddress = { readonly host: string; readonly port: number } | { readonly fd: number }

export interface ApiServerOptions extends ApiOptions {
  readonly at: ApiAddress
}

export interface ApiServer {
  readonly port: number
  /** Takes no new requests and resolves when those under way are answered. */
  close(): Promise<void>
}

export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const routes = createRoutes(options)
  const listener = getRequestListener(routes.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? errorResponse('bad_request', 'The request has no valid address or Host header.')
        : answerError(error, { method: '', route: '', log: options.log }),
  })
  const server = createServer({
    maxHeaderSize: API_LIMITS.headBytesMax,
    headersTimeout: API_LIMITS.headTimeoutMs,
    requestTimeout: API_LIMITS.requestTimeoutMs,
    keepAliveTimeout: API_LIMITS.keepAliveTimeoutMs,
    connectionsCheckingInterval: API_LIMITS.timeoutCheckMs,
  })
  server.maxConnections = API_LIMITS.connectionsMax
  server.on('request', (request, response) => {
    // A kept-alive connection would outlast the drain although nothing runs on it any more.
    response.on('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
    void listener(request, response)
  })
  await listen(server, options.at)
  return {
    port: (server.address() as AddressInfo).port,
    close: () => drain(server),
  }
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

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const deadline = setTimeout(() => server.closeAllConnections(), API_LIMITS.drainMs)
  await closed
  clearTimeout(deadline)
}
