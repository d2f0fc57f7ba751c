// The proxy's port: accepts callers' connections, and drains them at the end.

import type { AddressInfo } from 'node:net'

import { createCallerServer } from './caller-server.ts'
import type { ListenTls } from './caller-server.ts'
import type { CallerSocket } from './caller-socket.ts'
import { ClientConnection } from './client-connection.ts'
import { createCallSeries } from './call-series.ts'
import { CredentialGuards } from '../wire/http/credential-guard.ts'
import { ByteBudget } from '../wire/byte-budget.ts'
import { DecodeQueue } from '../policy/decode-queue.ts'
import { OpenCalls } from './open-calls.ts'
import { OpenSockets } from './socket/open-sockets.ts'
import { SendBuffer } from './send-buffer.ts'
import type { ProxyServices } from './services.ts'
import { TurnTime } from '../wire/turn-time.ts'

export interface ListenOptions {
  /** A socket that was bound for us, or an address of our own (port 0 picks a free one). */
  readonly at: { readonly fd: number } | { readonly host: string; readonly port: number }
  readonly services: ProxyServices
  /** Without it the port speaks plain HTTP. */
  readonly tls?: ListenTls | undefined
}

/** Connections that may wait to be accepted; the system's own limit applies too. */
const BACKLOG = 1024

/** Of compressed messages on WebSockets, beyond the 8 MiB that each may have waiting: one large. */
const TAP_WAITING_BYTES_MAX = 67_108_864

export interface Listener {
  readonly port: number
  /** Resolves when all calls are over and in the journal. A second call only shortens the time. */
  readonly drain: (limits: DrainLimits) => Promise<void>
}

export interface DrainLimits {
  readonly timeoutMs: number
  /** For connections without a call; a successor on the port leaves time for their next one. */
  readonly idleMs: number
}

export async function listen(options: ListenOptions): Promise<Listener> {
  const { services } = options
  const connections = new Set<ClientConnection>()
  const calls = new OpenCalls()
  const series = createCallSeries(services.meter)
  const bufferBudget = new ByteBudget(services.limits.policyBufferBytesMax)
  const turn = new TurnTime(services.clock)
  const tapBudget = new ByteBudget(TAP_WAITING_BYTES_MAX)
  const decodes = new DecodeQueue(bufferBudget, services.clock)
  const sendBuffer = new SendBuffer()
  const guards = new CredentialGuards()
  const sockets = new OpenSockets()
  const budgets = { bufferBudget, tapBudget }
  const state = { calls, series, sendBuffer, ...budgets, decodes, turn, guards, sockets }
  const accept = (caller: CallerSocket): void => {
    const { socket } = caller
    const connection = new ClientConnection(caller, services, state)
    connections.add(connection)
    services.meter.add('clientConnections', 1)
    socket.once('close', () => {
      connections.delete(connection)
      services.meter.add('clientConnections', -1)
    })
  }
  const { server, endHandshakes } = createCallerServer({ tls: options.tls, services, accept })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...options.at, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo

  let drained: Promise<void> | null = null
  async function closeServer(): Promise<void> {
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await calls.whenNone()
  }

  async function drain({ timeoutMs, idleMs }: DrainLimits): Promise<void> {
    calls.isDraining = true
    drained ??= closeServer()
    const closeIdle = (): void => {
      calls.isEnding = true
      endHandshakes()
      for (const connection of connections) connection.drain()
    }
    const cut = (): void => {
      for (const connection of connections) connection.cut()
    }
    const idleTimer = idleMs > 0 ? setTimeout(closeIdle, idleMs) : undefined
    if (idleMs === 0) closeIdle()
    const cutTimer = setTimeout(cut, timeoutMs)
    await drained
    clearTimeout(idleTimer)
    clearTimeout(cutTimer)
  }

  return { port, drain }
}
