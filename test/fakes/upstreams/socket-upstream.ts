// A provider's WebSocket server on a loopback port. It remembers how it was asked and how its
// sockets ended, answers plain requests on the same port with their length, and leaves the talk to
// its opener.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { ServerOptions, WebSocket } from 'ws'

export interface SocketUpstream {
  /** `http://127.0.0.1:port`. */
  readonly url: string
  /** The upgrade requests. */
  readonly requests: readonly IncomingMessage[]
  readonly sockets: readonly WebSocket[]
  /** How the first socket ended. */
  readonly closed: Promise<SocketEnd>
  close(): Promise<void>
}

export interface SocketEnd {
  readonly code: number
  readonly reason: string
}

export type Talk = (socket: WebSocket, request: IncomingMessage) => void

export async function openSocketUpstream(
  talk: Talk,
  options: ServerOptions = {},
): Promise<SocketUpstream> {
  const requests: IncomingMessage[] = []
  const sockets: WebSocket[] = []
  const ended = Promise.withResolvers<SocketEnd>()
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    let bytes = 0
    request.on('data', (part: Buffer) => (bytes += part.length))
    request.on('end', () => response.end(String(bytes)))
  })
  const webSockets = new WebSocketServer({ ...options, server })
  webSockets.on('connection', (socket, request) => {
    sockets.push(socket)
    requests.push(request)
    socket.on('error', () => {})
    socket.on('close', (code, reason) => ended.resolve({ code, reason: reason.toString() }))
    talk(socket, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sockets,
    closed: ended.promise,
    close: async () => {
      for (const socket of sockets) socket.terminate()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Sends every message back as it came. */
export const echo: Talk = (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data as Buffer, { binary: isBinary }))
}
