// The server behind the proxy's port, plain or with TLS: it hands over sockets ready for a caller.
// Must stay true: connections and handshakes are limited in number, handshakes also in time.

import { createServer as createTcpServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

import { ConnectionSlots } from '../limits/connection-slots.ts'
import type { ConnectionSlot } from '../limits/connection-slots.ts'
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

/** Connections above the limit, when all below it have a call: for probes, and to refuse others. */
export const SPARE_CONNECTIONS_MAX = 128
const SOCKET_OPTIONS = { allowHalfOpen: true, noDelay: true }

export function createCallerServer(options: CallerServerOptions): CallerServer {
  const { tls, accept, services } = options
  const admit = createDoor(services)
  if (tls !== undefined) return createTls(tls, admit, options)
  const server = createTcpServer(SOCKET_OPTIONS, (socket) => {
    accept({ socket, ...admit(socket) })
  })
  return { server, endHandshakes: () => {} }
}

type Admitted = Omit<CallerSocket, 'socket'>

/** Finds room for each connection, and closes others for it. */
function createDoor({ limits, meter }: ProxyServices): (tcp: Socket) => Admitted {
  const onCut = (): void => meter.add('limitsHit', 1, 'client_cut')
  const slots = new ConnectionSlots({ slotsMax: limits.connectionsMax, onCut })
  const spare = new ConnectionSlots({ slotsMax: SPARE_CONNECTIONS_MAX, onCut })
  return (tcp) => {
    const slot = slots.take(tcp)
    if (slot !== null) return { tcp, slot, isSpare: false }
    meter.add('limitsHit', 1, 'client_connections')
    // None of these ever has a call.
    return { tcp, slot: spare.take(tcp) as ConnectionSlot, isSpare: true }
  }
}

interface Handshake {
  readonly admitted: Admitted
  readonly timer: NodeJS.Timeout
}

function createTls(
  tls: ListenTls,
  admit: (tcp: Socket) => Admitted,
  { services, accept }: CallerServerOptions,
): CallerServer {
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
    handshakes.set(caller, { admitted: admit(socket), timer })
    socket.once('close', () => {
      if (handshakes.get(caller)?.admitted.tcp === socket) settle(caller)
    })
  })
  server.on('secureConnection', (socket) => {
    const caller = nameOf(socket)
    const admitted = handshakes.get(caller)?.admitted
    settle(caller)
    // Without it the connection has closed since.
    if (admitted === undefined) return socket.destroy()
    admitted.slot.socket = socket
    accept({ socket, ...admitted })
  })
  // Scanners and callers that think better of it cause these all day: they are counted, no more.
  server.on('tlsClientError', (_error, socket) => {
    meter.add('tlsFailures', 1)
    socket.destroy()
  })
  const endHandshakes = (): void => {
    for (const { admitted } of handshakes.values()) admitted.tcp.destroy()
  }
  return { server, endHandshakes }
}

/** Unique among a port's connections; the socket inside TLS has the same. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
