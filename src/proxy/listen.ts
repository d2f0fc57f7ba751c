// The proxy's port: accepts callers' connections, bounds their number, and drains them at the end.

import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import { createRequestId } from '../core/ids.ts'
import { ClientConnection } from './client-connection.ts'
import { OpenCalls } from './open-calls.ts'
import { refuse, writeRefusal } from './refusal.ts'
import type { ProxyServices } from './services.ts'

export interface ListenOptions {
  /** A socket that was bound for us, or an address of our own (port 0 picks a free one). */
  readonly at: { readonly fd: number } | { readonly host: string; readonly port: number }
  readonly services: ProxyServices
}

/** Connections that may wait to be accepted; the system's own limit applies too. */
const BACKLOG = 1024

export interface Listener {
  readonly port: number
  /** No new connections; running calls end within the time, then they are cut. All are in the journal then. */
  readonly drain: (timeoutMs: number) => Promise<void>
}

export async function listen(options: ListenOptions): Promise<Listener> {
  const { services } = options
  const connections = new Set<ClientConnection>()
  const calls = new OpenCalls()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (connections.size >= services.limits.connectionsMax) return turnAway(socket, services)
    const connection = new ClientConnection(socket, services, calls)
    connections.add(connection)
    services.meter.add('clientConnections', 1)
    socket.once('close', () => {
      connections.delete(connection)
      services.meter.add('clientConnections', -1)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...options.at, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo

  async function drain(timeoutMs: number): Promise<void> {
    calls.isDraining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const connection of connections) connection.drain()
    const timer = setTimeout(() => {
      for (const connection of connections) connection.socket.destroy()
    }, timeoutMs)
    await closed
    clearTimeout(timer)
    await calls.whenNone()
  }

  return { port, drain }
}

function turnAway(socket: Socket, services: ProxyServices): void {
  const refusal = {
    ...refuse('overloaded', 'Too many connections are open. Try again in a moment.'),
    retryAfterSeconds: 1,
  }
  services.meter.add('refusals', 1, refusal.code)
  const requestId = createRequestId(services.clock.now())
  socket.on('error', () => socket.destroy())
  socket.end(writeRefusal(refusal, { requestId, shape: 'openai', isHead: false, isClosing: true }))
  socket.resume()
  socket.setTimeout(1000, () => socket.destroy())
}
