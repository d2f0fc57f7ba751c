// A connection to an upstream and its user: a call, or the pool while it lies idle. Its listeners
// are set once and hand on to the user, since adding and removing them for each call shows; and it
// reads into memory of its own, again and again, since new memory for each piece shows even more.

import type { OnReadOpts, Socket } from 'node:net'

import { writesAtOnce } from './send-buffer.ts'

export interface UpstreamUser {
  /** The bytes are good until this returns: a user that needs them longer copies them. */
  upstreamBytes(chunk: Buffer): void
  /** The upstream will send nothing more. */
  upstreamEnded(): void
  /** The connection is gone. */
  upstreamClosed(): void
  /** The upstream takes bytes again after it had asked for a pause. */
  upstreamDrained(): void
}

/** The most that is read at once. Memory that was never read into takes no room. */
const READ_BYTES = 65_536

export class UpstreamConnection {
  user: UpstreamUser | null = null
  /** The user while it lies idle, made once. */
  idleUser: UpstreamUser | null = null
  /** Until when it may be used again, on the monotonic clock; of interest while it lies idle. */
  idleUntil = 0
  #socket: Socket | null = null
  #readBuffer: Buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  /** For the socket's options, where it takes them. */
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

  /** Once it is open. */
  attach(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.user?.upstreamBytes(chunk))
    socket.on('end', () => this.user?.upstreamEnded())
    socket.on('close', () => this.user?.upstreamClosed())
    socket.on('drain', () => this.user?.upstreamDrained())
  }

  /**
   * Passes on bytes that were just read here. What the other socket cannot hand to the system at
   * once it keeps, so that memory is left to it, and the next piece is read into other memory.
   */
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
