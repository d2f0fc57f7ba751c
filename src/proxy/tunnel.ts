// An upgraded connection: bytes go both ways, and the end of one direction is passed on alone, so a
// half-closed tunnel goes on. A guard keeps back what the caller sends until it is allowed.

import type { Socket } from 'node:net'

import type { Refusal } from '../policy/refusal.ts'
import type { TunnelGuard } from '../policy/tunnel-guard.ts'
import type { TunnelTap } from './tunnel-tap.ts'
import type { UpstreamConnection, UpstreamUser } from './upstream-connection.ts'

export interface TunnelOptions {
  /** Null where its messages cannot be read. */
  readonly tap: TunnelTap | null
  /** Null for a key that may use every model. */
  readonly guard: TunnelGuard | null
  /** The upstream's side is gone, or the tunnel was cut: then with the reason. */
  closed(refusal: Refusal | null): void
}

export class Tunnel implements UpstreamUser {
  readonly #caller: Socket
  readonly #upstream: UpstreamConnection
  readonly #options: TunnelOptions
  /** Bytes to the upstream and from it, heads not counted. */
  sentBytes = 0
  receivedBytes = 0

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
    const send = (bytes: Buffer): void => {
      this.sentBytes += bytes.length
      if (!socket.write(bytes)) this.#caller.pause()
      tap?.feedCaller(bytes)
    }
    const pass = guard === null ? send : (bytes: Buffer) => this.#pass(guard, bytes, send)
    this.receivedBytes = fromUpstream.length
    if (fromUpstream.length > 0) tap?.feed(fromUpstream)
    this.#caller.on('data', pass)
    this.#caller.on('drain', () => socket.resume())
    this.#caller.on('end', () => socket.end())
    // Last: what came early may be refused, and then nothing more is read.
    if (fromCaller.length > 0) pass(fromCaller)
    if (!socket.writableNeedDrain) this.#caller.resume()
  }

  #pass(guard: TunnelGuard, bytes: Buffer, send: (bytes: Buffer) => void): void {
    const allowed = guard.pass(bytes)
    if (guard.refusal !== null) return this.#cut(guard.refusal)
    if (allowed.length > 0) send(allowed)
  }

  /** What was refused ends both sides at once: a model may be at work already. */
  #cut(refusal: Refusal): void {
    this.#upstream.destroy()
    // Where no frame of the upstream's is under way the caller can be sent the reason.
    if (this.#options.tap?.isBetweenFrames === true) this.#caller.write(toCloseFrame(refusal.code))
    this.#options.closed(refusal)
  }

  checkDeadline(nowMs: number): void {
    const { guard } = this.#options
    if (guard === null || this.#caller.isPaused()) return
    guard.checkDeadline(nowMs)
    if (guard.refusal !== null) this.#cut(guard.refusal)
  }

  /** The call is over. What a caller still sends is not read: its bytes would be kept for ever. */
  release(): void {
    this.#caller.removeAllListeners('data')
    this.#options.guard?.release()
  }

  upstreamBytes(bytes: Buffer): void {
    this.receivedBytes += bytes.length
    if (!this.#upstream.relay(bytes, this.#caller)) this.#upstream.socket.pause()
    this.#options.tap?.feed(bytes)
  }

  upstreamDrained(): void {
    this.#options.guard?.callerResumed()
    this.#caller.resume()
  }

  upstreamEnded(): void {
    this.#caller.end()
  }

  upstreamClosed(): void {
    this.#options.closed(null)
    // What was sent cleanly still goes out; what broke off breaks off for the caller too.
    if (!this.#caller.writableEnded) this.#caller.destroy()
  }
}

/** The code for a message that violates a policy (RFC 6455 §7.4.1), with ours as the reason. */
const POLICY_VIOLATION = 1008

function toCloseFrame(reason: string): Buffer {
  const payload = Buffer.from(`\0\0${reason}`)
  payload.writeUInt16BE(POLICY_VIOLATION)
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload])
}
