// An upstream made of raw sockets: it shows exactly which bytes reached it and answers exactly the
// bytes it is told to. For what a real HTTP server would tidy up on the way.

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** One accepted connection and everything that came on it. */
export interface UpstreamConnection {
  readonly socket: Socket
  received: string
  isClosed: boolean
}

export interface ScriptedUpstream {
  readonly url: string
  readonly connections: UpstreamConnection[]
  /** All bytes of all connections, in Latin-1. */
  received(): string
  close(): Promise<void>
}

/** Called with every piece that comes; `connection.received` holds all of them so far. */
export type Script = (connection: UpstreamConnection) => void

/**
 * `onEnd` is called when the other side sends nothing more; without it the connection ends then.
 */
export async function openScriptedUpstream(
  script: Script,
  onEnd: Script = ({ socket }) => void socket.end(),
): Promise<ScriptedUpstream> {
  const connections: UpstreamConnection[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection: UpstreamConnection = { socket, received: '', isClosed: false }
    connections.push(connection)
    socket.on('data', (bytes) => {
      connection.received += bytes.toString('latin1')
      script(connection)
    })
    socket.on('end', () => onEnd(connection))
    socket.on('error', () => {})
    socket.on('close', () => {
      connection.isClosed = true
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    connections,
    received: () => connections.map((connection) => connection.received).join(''),
    close: async () => {
      for (const { socket } of connections) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers every request head that has come whole, once each, with the same bytes. */
export function answering(response: string): Script {
  const answered = new WeakMap<UpstreamConnection, number>()
  return (connection) => {
    const heads = connection.received.split('\r\n\r\n').length - 1
    for (let count = answered.get(connection) ?? 0; count < heads; count++) {
      connection.socket.write(response, 'latin1')
    }
    answered.set(connection, heads)
  }
}
