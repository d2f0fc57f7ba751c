// A connection that has been upgraded: bytes go both ways as they come, until each side has had enough.
// The end of one direction is passed on alone, so a half-closed tunnel goes on.

import type { Socket } from 'node:net'

import type { UpstreamConnection, UpstreamUser } from './upstream-connection.ts'

export class Tunnel implements UpstreamUser {
  readonly #caller: Socket
  readonly #upstream: UpstreamConnection
  readonly #closed: () => void
  /** Bytes to the upstream and from it, heads not counted. */
  sentBytes = 0
  receivedBytes = 0

  /** `closed` is called when the upstream's side is gone. */
  constructor(caller: Socket, upstream: UpstreamConnection, closed: () => void) {
    this.#caller = caller
    this.#upstream = upstream
    this.#closed = closed
  }

  /** `ahead` came from the caller before it knew that the tunnel stands. */
  open(ahead: Buffer): void {
    this.#upstream.user = this
    const { socket } = this.#upstream
    const send = (bytes: Buffer): void => {
      this.sentBytes += bytes.length
      if (!socket.write(bytes)) this.#caller.pause()
    }
    if (ahead.length > 0) send(ahead)
    this.#caller.on('data', send)
    this.#caller.on('drain', () => socket.resume())
    this.#caller.on('end', () => socket.end())
    if (!socket.writableNeedDrain) this.#caller.resume()
  }

  upstreamBytes(bytes: Buffer): void {
    this.receivedBytes += bytes.length
    if (!this.#upstream.relay(bytes, this.#caller)) this.#upstream.socket.pause()
  }

  upstreamDrained(): void {
    this.#caller.resume()
  }

  upstreamEnded(): void {
    this.#caller.end()
  }

  upstreamClosed(): void {
    this.#closed()
    // What was sent in good order still goes out; what broke off breaks off for the caller too.
    if (!this.#caller.writableEnded) this.#caller.destroy()
  }
}
