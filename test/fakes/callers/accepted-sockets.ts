// The sockets that servers of this process accept, by the port of the caller: held, one keeps what
// is written as if the caller did not read.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface AcceptedSockets {
  /** Of a connection whose other end has that port. */
  readonly of: (port: number | undefined) => Promise<Socket>
}

export function watchAccepted(t: TestContext): AcceptedSockets {
  const accepted: Socket[] = []
  const add = (message: unknown): void => {
    accepted.push((message as { socket: Socket }).socket)
  }
  subscribe('net.server.socket', add)
  t.after(() => void unsubscribe('net.server.socket', add))
  return {
    of: async (port) => {
      for (;;) {
        const found = accepted.find((socket) => socket.remotePort === port)
        if (found !== undefined) return found
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
