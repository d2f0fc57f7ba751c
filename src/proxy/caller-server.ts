// The server behind the proxy's port, plain or with TLS: it hands over sockets ready for a caller.
// Must stay true: handshakes are limited in time and in number.

import { createServer as createTcpServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

import type { CallerSocket } from './caller-socket.ts'
import type { ProxyServices } from './services.ts'

/** In PEM. */
export interface ListenTls {
  readonly cert: string
  readonly key: string
}

export interface CallerServer {
  readonly server: Server
  /** Closes the connections whose handshake has not ended: no answer can be sent on them. */
  readonly endHandshakes: () => void
}

export interface CallerServerOptions {
  readonly tls: ListenTls | undefined
  readonly services: ProxyServices
  readonly accept: (caller: CallerSocket) => void
}

/** Connections above the limit that still get a refusal or handshake; further ones are dropped. */
export const TURNED_AWAY_MAX = 128
const SOCKET_OPTIONS = { allowHalfOpen: true, noDelay: true }

export function createCallerServer(options: CallerServerOptions): CallerServer {
  const { tls, accept } = options
  const { limits, meter } = options.services
  const created =
    tls === undefined
      ? { server: createPlain(accept), endHandshakes: () => {} }
      : createTls(tls, options)
  created.server.maxConnections = limits.connectionsMax + TURNED_AWAY_MAX
  created.server.on('drop', () => meter.add('limitsHit', 1, 'client_connections'))
  return created
}

function createPlain(accept: CallerServerOptions['accept']): Server {
  return createTcpServer(SOCKET_OPTIONS, (socket) => accept({ socket, tcp: socket }))
}

interface Handshake {
  readonly socket: Socket
  readonly timer: NodeJS.Timeout
}

function createTls(tls: ListenTls, { services, accept }: CallerServerOptions): CallerServer {
  const { limits, meter } = services
  const handshakes = new Map<string, Handshake>()
  const server = createTlsServer({
    ...SOCKET_OPTIONS,
    cert: tls.cert,
    key: tls.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  })
  const settle = (caller: string): void => {
    clearTimeout(handshakes.get(caller)?.timer)
    handshakes.delete(caller)
  }
  server.on('connection', (socket: Socket) => {
    const caller = nameOf(socket)
    // Node's own limit begins again with each piece that comes, so a slow trickle would never end.
    const timer = setTimeout(() => socket.destroy(), limits.headTimeoutMs)
    handshakes.set(caller, { socket, timer })
    socket.once('close', () => {
      if (handshakes.get(caller)?.socket === socket) settle(caller)
    })
  })
  server.on('secureConnection', (socket) => {
    const caller = nameOf(socket)
    const tcp = handshakes.get(caller)?.socket
    settle(caller)
    // Without it the connection has closed since.
    if (tcp === undefined) socket.destroy()
    else accept({ socket, tcp })
  })
  // Scanners and callers that think better of it cause these all day: they are counted, no more.
  server.on('tlsClientError', (_error, socket) => {
    meter.add('tlsFailures', 1)
    socket.destroy()
  })
  const endHandshakes = (): void => {
    for (const { socket } of handshakes.values()) socket.destroy()
  }
  return { server, endHandshakes }
}

/** Unique among a port's connections; the socket inside TLS has the same. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
