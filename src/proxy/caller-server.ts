// The server behind the proxy's port, plain or with TLS: it hands over sockets ready for a caller.
// Must stay true: connections and handshakes are limited in number, handshakes also in time.

import { createServer as createTcpServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

import { ConnectionSlots } from '../limits/connection-slots.ts'
import type { ConnectionSlot } from '../limits/connection-slots.ts'
import { watchHandshakes } from '../limits/tls-handshakes.ts'
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
/** A caller whose machine is gone says nothing: after this the system asks if it is there. */
const KEEP_ALIVE_MS = 60_000
const SOCKET_OPTIONS = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_MS,
}

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

function createTls(
  tls: ListenTls,
  admit: (tcp: Socket) => Admitted,
  { services, accept }: CallerServerOptions,
): CallerServer {
  const { limits, meter } = services
  const server = createTlsServer({
    ...SOCKET_OPTIONS,
    cert: tls.cert,
    key: tls.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  })
  const endHandshakes = watchHandshakes(server, {
    timeoutMs: limits.headTimeoutMs,
    connected: admit,
    secured: (socket, admitted) => {
      admitted.slot.socket = socket
      accept({ socket, ...admitted })
    },
    failed: () => meter.add('tlsFailures', 1),
  })
  return { server, endHandshakes }
}
