// A connection to an upstream and whoever uses it now: a call, or the pool while it lies idle. Its
// listeners are set once and hand on to the user, since adding and removing them for each call shows.

import type { Socket } from 'node:net'

export interface UpstreamUser {
  upstreamBytes(chunk: Buffer): void
  /** The upstream will send nothing more. */
  upstreamEnded(): void
  /** The connection is gone. */
  upstreamClosed(): void
  /** The upstream takes bytes again after it had asked for a pause. */
  upstreamDrained(): void
}

export class UpstreamConnection {
  readonly socket: Socket
  user: UpstreamUser | null = null

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.user?.upstreamBytes(chunk))
    socket.on('end', () => this.user?.upstreamEnded())
    socket.on('close', () => this.user?.upstreamClosed())
    socket.on('drain', () => this.user?.upstreamDrained())
  }

  destroy(): void {
    this.user = null
    this.socket.destroy()
  }
}
