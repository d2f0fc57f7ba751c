// An upgraded connection: bytes go both ways, and the end of one direction is passed on alone, so a
// half-closed tunnel goes on. A guard keeps back what the caller sends until it is allowed. Must
// stay true: a message of our own stands between two of the upstream's, never inside one.

import type { Socket } from 'node:net'

import type { TunnelGuard } from '../../policy/tunnel-guard.ts'
import type { TunnelTap } from './tunnel-tap.ts'
import type { UpstreamConnection, UpstreamUser } from '../upstream-connection.ts'

export interface TunnelOptions {
  /** Null where its messages cannot be read. */
  readonly tap: TunnelTap | null
  /** Null for a caller whose messages need not be judged. */
  readonly guard: TunnelGuard | null
  /** When a silence of both sides that begins now has lasted too long. */
  readonly idleUntil: () => number
  /** Both sides have been silent for too long. */
  idle(): void
  /** The upstream's side is gone, or what had to be said last has been. */
  closed(): void
}

export class Tunnel implements UpstreamUser {
  readonly #caller: Socket
  readonly #upstream: UpstreamConnection
  readonly #options: TunnelOptions
  /** Bytes to the upstream and from it, heads not counted. */
  sentBytes = 0
  receivedBytes = 0
  /** Frames of our own, until the upstream is between two messages; `isLast`: the end after it. */
  #inserted: { readonly frame: Buffer; readonly isLast: boolean }[] = []
  #idleUntil = Infinity

  constructor(caller: Socket, upstream: UpstreamConnection, options: TunnelOptions) {
    this.#caller = caller
    this.#upstream = upstream
    this.#options = options
  }

  /** Each side's bytes that came before the tunnel stood; the caller has the upstream's already. */
  open(fromCaller: Buffer, fromUpstream: Buffer): void {
    this.#upstream.user = this
    const { socket } = this.#upstream
    const { guard, tap } = this.#options
    const take = guard === null ? (bytes: Buffer) => this.send(bytes) : this.#guarded(guard)
    this.receivedBytes = fromUpstream.length
    this.#idleUntil = this.#options.idleUntil()
    if (fromUpstream.length > 0) tap?.feed(fromUpstream)
    this.#caller.on('data', take)
    this.#caller.on('drain', () => socket.resume())
    this.#caller.on('end', () => socket.end())
    // Last: what came early may be refused, and then nothing more is read.
    if (fromCaller.length > 0) take(fromCaller)
    this.resumeCaller()
  }

  #guarded(guard: TunnelGuard): (bytes: Buffer) => void {
    return (bytes) => {
      this.#idleUntil = this.#options.idleUntil()
      guard.take(bytes)
      if (guard.isWaiting) this.#caller.pause()
    }
  }

  send(bytes: Buffer): void {
    this.sentBytes += bytes.length
    this.#idleUntil = this.#options.idleUntil()
    if (!this.#upstream.socket.write(bytes)) this.#caller.pause()
    this.#options.tap?.feedCaller(bytes)
  }

  /** Reads on, unless something else makes the caller wait. */
  resumeCaller(): void {
    const { guard } = this.#options
    if (this.#upstream.socket.writableNeedDrain || guard?.isWaiting === true) return
    guard?.callerResumed()
    this.#caller.resume()
  }

  /** Says this to the caller as soon as it can be said, and ends the tunnel after the last. */
  insert(frame: Buffer, isLast: boolean): void {
    this.#inserted.push({ frame, isLast })
    const { tap } = this.#options
    // Where there will be no place for it the end has to do.
    if (tap?.canInsert !== true && isLast) this.cut()
    else if (tap?.isBetweenMessages === true) this.#sayInserted()
  }

  #sayInserted(): void {
    for (const { frame, isLast } of this.#inserted.splice(0)) {
      this.#caller.write(frame)
      if (isLast) return this.cut()
    }
  }

  /** Ends both sides at once: a model may be at work already. */
  cut(): void {
    this.#inserted = []
    this.#upstream.destroy()
    this.#options.closed()
  }

  checkDeadline(nowMs: number): void {
    if (nowMs >= this.#idleUntil) return this.#options.idle()
    const { guard } = this.#options
    if (guard !== null && !this.#caller.isPaused()) guard.checkDeadline(nowMs)
  }

  /** The call is over. What a caller still sends is not read: its bytes would be kept for ever. */
  release(): void {
    this.#caller.removeAllListeners('data')
    this.#options.guard?.release()
  }

  upstreamBytes(bytes: Buffer): void {
    this.#idleUntil = this.#options.idleUntil()
    if (this.#inserted.length > 0) return this.#relayAround(bytes)
    this.#relay(bytes)
    this.#options.tap?.feed(bytes)
  }

  #relay(bytes: Buffer): void {
    this.receivedBytes += bytes.length
    if (!this.#upstream.relay(bytes, this.#caller)) this.#upstream.socket.pause()
  }

  /** Read before they are passed on: the place between two messages may be inside these bytes. */
  #relayAround(bytes: Buffer): void {
    const { tap } = this.#options
    const before = this.receivedBytes
    tap?.feed(bytes)
    const end = tap?.canInsert === true ? tap.settledBytes - before : 0
    if (end <= 0) return this.#relay(bytes)
    // What is passed on in two pieces is copied once.
    const copy = Buffer.from(bytes)
    this.#relay(copy.subarray(0, end))
    const isLast = this.#inserted.some((each) => each.isLast)
    this.#sayInserted()
    if (!isLast && end < copy.length) this.#relay(copy.subarray(end))
  }

  upstreamDrained(): void {
    this.resumeCaller()
  }

  upstreamEnded(): void {
    this.#caller.end()
  }

  upstreamClosed(): void {
    this.#options.closed()
    // What was sent cleanly still goes out; what broke off breaks off for the caller too.
    if (!this.#caller.writableEnded) this.#caller.destroy()
  }
}
