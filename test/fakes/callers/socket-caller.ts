// A caller that opens a WebSocket through Weir's provider `some` and reads its messages one by one.

import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'

import type { TestProxy } from '../open-proxy.ts'

export interface Caller {
  readonly socket: WebSocket
  readonly next: () => Promise<{ data: Buffer; isBinary: boolean }>
  readonly closed: Promise<{ code: number; reason: string }>
}

export interface CallerOptions extends ClientOptions {
  readonly path?: string
  readonly protocols?: string[]
}

/** Not open yet: for upgrades that are refused. */
export function startCaller(proxy: TestProxy, options: CallerOptions = {}): WebSocket {
  const { path = '/v1/realtime', protocols = [], ...rest } = options
  return new WebSocket(`ws://127.0.0.1:${proxy.port}/v1/some${path}`, protocols, {
    ...rest,
    headers: { 'X-SVC-API-Key': proxy.credential, ...options.headers },
  })
}

export async function openCaller(proxy: TestProxy, options: CallerOptions = {}): Promise<Caller> {
  const socket = startCaller(proxy, options)
  const received: { data: Buffer; isBinary: boolean }[] = []
  socket.on('message', (data, isBinary) => {
    received.push({ data: data as Buffer, isBinary })
    socket.emit('received')
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close').then(([code, reason]: unknown[]) => {
    return { code: code as number, reason: String(reason) }
  })
  await once(socket, 'open')
  return {
    socket,
    closed,
    next: async () => {
      if (received.length === 0) await once(socket, 'received')
      return received.shift() as { data: Buffer; isBinary: boolean }
    },
  }
}
