// Opens connections to upstreams as the pool does, one at a time and by promise.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { OnReadOpts, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

import type { ConnectFailure, UpstreamConnector } from '../../../src/proxy/upstream-connector.ts'

export type Opened =
  | { readonly kind: 'connected'; readonly socket: TLSSocket; readonly hasOnread: boolean }
  | ({ readonly kind: 'failed' } & ConnectFailure)

export function open(connector: UpstreamConnector, onread?: OnReadOpts): Promise<Opened> {
  return new Promise((resolve) => {
    connector({
      onread,
      connected: (socket, hasOnread) =>
        resolve({ kind: 'connected', socket: socket as TLSSocket, hasOnread }),
      failed: (failure) => resolve({ kind: 'failed', ...failure }),
    })
  })
}

export async function openSocket(
  connector: UpstreamConnector,
  onread?: OnReadOpts,
): Promise<TLSSocket> {
  const result = await open(connector, onread)
  assert.equal(result.kind, 'connected', JSON.stringify(result))
  return (result as Opened & { kind: 'connected' }).socket
}

/** Ends it from here. */
export async function closed(socket: Socket): Promise<void> {
  socket.destroy()
  await once(socket, 'close')
}
