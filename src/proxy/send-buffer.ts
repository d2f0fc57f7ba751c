// A worker's buffer for heads and the bytes after them: two small writes cost a fifth more CPU than
// one, and new memory for each head costs as much again. Must stay true: bytes that a socket still
// needs are never overwritten.

import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

import type { HeaderLines } from '../wire/http/header-lines.ts'

/** The largest head and a first piece of its body. */
const BYTES = 131_072
/** What a rewritten head needs beyond its lines and the added texts: `Host: `, line ends. */
const REWRITE_BYTES_MAX = 32

/** True when a write that returns with nothing waiting has handed all bytes to the system. */
export function writesAtOnce(socket: Socket): boolean {
  return socket.writableLength === 0 && !(socket instanceof TLSSocket)
}

export class SendBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(BYTES)

  reserveHead(lines: HeaderLines, addedBytes: number): Buffer {
    const length = lines.end - lines.headStart + addedBytes + REWRITE_BYTES_MAX
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(length)
    return this.#bytes
  }

  /** Sends `length` bytes of it, then `pieces`, which are free after. False asks for a pause. */
  send(socket: Socket, length: number, pieces: readonly Buffer[]): boolean {
    let end = length
    for (const piece of pieces) {
      if (end + piece.length > this.#bytes.length) {
        this.#write(socket, end)
        this.#bytes = Buffer.allocUnsafeSlow(Math.max(BYTES, piece.length))
        end = 0
      }
      end += piece.copy(this.#bytes, end)
    }
    return this.#write(socket, end)
  }

  #write(socket: Socket, end: number): boolean {
    const view = this.#bytes.subarray(0, end)
    if (!writesAtOnce(socket)) return socket.write(Buffer.from(view))
    const hasRoom = socket.write(view)
    if (socket.writableLength > 0) this.#bytes = Buffer.allocUnsafeSlow(BYTES)
    return hasRoom
  }
}
