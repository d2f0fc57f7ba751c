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
export const LINGER_MS = 2000

/**
 * Closes once all is written, reading a moment longer: a reset could destroy our answer. A caller
 * that goes on reading gets all that waits for it, with pauses of up to `patienceMs`.
 */
export function endSoon({ socket }: CallerSocket, patienceMs: number): void {
  socket.end()
  socket.resume()
  let waiting = socket.writableLength
  let silentMs = 0
  const timer = setInterval(() => {
    const left = socket.writableLength
    silentMs = left < waiting ? 0 : silentMs + LINGER_MS
    waiting = left
    if (left === 0 || silentMs >= Math.max(patienceMs, LINGER_MS)) socket.destroy()
  }, LINGER_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
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
