// The TLS handshakes on a port: what was found for a TCP connection is handed on with the socket
// inside it. Must stay true: a handshake takes a limited time, however slowly its bytes come.

import type { Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'

export interface HandshakeOptions<Place> {
  readonly timeoutMs: number
  readonly connected: (tcp: Socket) => Place
  readonly secured: (socket: TLSSocket, place: Place) => void
  readonly failed: () => void
}

interface Handshake<Place> {
  readonly tcp: Socket
  readonly place: Place
  readonly timer: NodeJS.Timeout
}

/** Returns what closes connections that are not secured yet: no answer can be sent on them. */
export function watchHandshakes<Place>(
  server: Server,
  { timeoutMs, connected, secured, failed }: HandshakeOptions<Place>,
): () => void {
  const handshakes = new Map<string, Handshake<Place>>()
  const settle = (caller: string): void => {
    clearTimeout(handshakes.get(caller)?.timer)
    handshakes.delete(caller)
  }
  server.on('connection', (tcp: Socket) => {
    const caller = nameOf(tcp)
    // Node's own limit begins again with each piece that comes, so a slow trickle would never end.
    const timer = setTimeout(() => tcp.destroy(), timeoutMs)
    handshakes.set(caller, { tcp, place: connected(tcp), timer })
    tcp.once('close', () => {
      if (handshakes.get(caller)?.tcp === tcp) settle(caller)
    })
  })
  // Before all other listeners: an HTTP server begins to read at once.
  server.prependListener('secureConnection', (socket) => {
    const caller = nameOf(socket)
    const handshake = handshakes.get(caller)
    settle(caller)
    // Without it the connection has closed since.
    if (handshake === undefined) socket.destroy()
    else secured(socket, handshake.place)
  })
  // Scanners and callers that think better of it cause these all day: they are counted, no more.
  server.on('tlsClientError', (_error, socket) => {
    failed()
    socket.destroy()
  })
  return () => {
    for (const { tcp } of handshakes.values()) tcp.destroy()
  }
}

/** Unique among a port's connections; the socket inside TLS has the same. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
