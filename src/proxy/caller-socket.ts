// A caller's socket and how it ends: after what was written, or with a reset where an end would
// make a body look whole.

import type { Socket } from 'node:net'

import type { ConnectionSlot } from '../limits/connection-slots.ts'

export interface CallerSocket {
  readonly socket: Socket
  /** What lies below TLS, the same socket without it: only TCP knows resets. */
  readonly tcp: Socket
  readonly slot: ConnectionSlot
  /** Above the limit: it may ask how Weir is, and no more. */
  readonly isSpare: boolean
}

/** How long a caller may go on sending, or take to read, before the connection is torn down. */
const LINGER_MS = 2000

/** Closes once all is written, reading a moment longer: a reset could destroy our answer. */
export function endSoon({ socket }: CallerSocket): void {
  socket.end()
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** The same, but the caller sees a failure: its body was to last until the connection's end. */
export function resetSoon(caller: CallerSocket): void {
  const { socket } = caller
  socket.write('', () => reset(caller))
  socket.resume()
  setTimeout(() => reset(caller), LINGER_MS).unref()
}

export function reset({ socket, tcp }: CallerSocket): void {
  if (!socket.destroyed) tcp.resetAndDestroy()
}
