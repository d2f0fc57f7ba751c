// A connection to an upstream and its user: a call, or the pool while idle. Listeners are set once,
// and memory is reused for each read: doing either per call or per piece shows in the profile.

import type { OnReadOpts, Socket } from 'node:net'

import { writesAtOnce } from './send-buffer.ts'

export interface UpstreamUser {
  /** The bytes are valid until this returns: a user that needs them longer copies them. */
  upstreamBytes(chunk: Buffer): void
  /** The upstream will send nothing more. */
  upstreamEnded(): void
  upstreamClosed(): void
  upstreamDrained(): void
}

/** The most that is read at once. Memory that was never read into takes no room. */
const READ_BYTES = 65_536

export class UpstreamConnection {
  user: UpstreamUser | null = null
  idleUser: UpstreamUser | null = null
  /** On the monotonic clock; applies while it is idle. */
  idleUntil = 0
  #socket: Socket | null = null
  #readBuffer: Buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  readonly onread: OnReadOpts = {
    buffer: () => this.#readBuffer,
    callback: (length) => {
      this.user?.upstreamBytes(this.#readBuffer.subarray(0, length))
      return true
    },
  }

  get socket(): Socket {
    return this.#socket as Socket
  }

  attach(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.user?.upstreamBytes(chunk))
    socket.on('end', () => this.user?.upstreamEnded())
    socket.on('close', () => this.user?.upstreamClosed())
    socket.on('drain', () => this.user?.upstreamDrained())
  }

  /** Passes on bytes just read. Memory that the other socket still needs is left to it. */
  relay(bytes: Buffer, to: Socket): boolean {
    if (!writesAtOnce(to)) return to.write(Buffer.from(bytes))
    const hasRoom = to.write(bytes)
    if (to.writableLength > 0) this.#readBuffer = Buffer.allocUnsafeSlow(READ_BYTES)
    return hasRoom
  }

  destroy(): void {
    this.user = null
    this.#socket?.destroy()
  }
}
