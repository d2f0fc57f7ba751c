// Connections to one upstream origin, kept open between calls. Must stay true: a connection that the
// upstream closed or spoke on while idle is never handed out, and none is handed out twice.

import { connect as connectTcp } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

/** Where a provider's calls go. */
export interface Upstream {
  /** The value of Host. */
  readonly host: string
  /** Put in front of every path; without a slash at its end. */
  readonly basePath: string
  readonly pool: UpstreamPool
}

export interface UpstreamPoolOptions {
  readonly origin: URL
  readonly connectTimeoutMs: number
  /** How long a connection may lie idle. Shorter where the upstream says so. */
  readonly idleTimeoutMs: number
  readonly connectionsMax: number
  readonly clock: Clock
  readonly meter: Meter
}

export type Connected =
  | { readonly kind: 'connected'; readonly socket: Socket }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'full' }

interface Idle {
  readonly socket: Socket
  readonly expiresAt: number
  readonly discard: () => void
}

// The upstream counts its own idle time from an earlier moment than we do; this much is left to it.
const KEEP_ALIVE_MARGIN_MS = 1000

export class UpstreamPool {
  readonly #options: UpstreamPoolOptions
  readonly #idle: Idle[] = []
  #connections = 0
  #tlsSession: Buffer | undefined
  #isClosed = false

  constructor(options: UpstreamPoolOptions) {
    this.#options = options
  }

  /** An idle connection, or null. The newest first: the others may run out and be closed. */
  takeIdle(): Socket | null {
    const now = this.#options.clock.monotonic()
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      idle.discard()
      if (idle.expiresAt > now && !idle.socket.destroyed && idle.socket.writable) return idle.socket
      idle.socket.destroy()
    }
    return null
  }

  /** Opens a new connection. Returns a function that gives up waiting. */
  connect(done: (result: Connected) => void): () => void {
    const { connectionsMax, connectTimeoutMs, meter } = this.#options
    if (this.#connections >= connectionsMax) {
      done({ kind: 'full' })
      return () => {}
    }
    this.#connections++
    meter.add('upstreamConnections', 1)
    const socket = this.#open()
    let isSettled = false
    const settle = (result: Connected): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      if (result.kind !== 'connected') socket.destroy()
      done(result)
    }
    const timer = setTimeout(() => settle({ kind: 'timeout' }), connectTimeoutMs)
    socket.once('close', () => {
      this.#connections--
      meter.add('upstreamConnections', -1)
      settle({ kind: 'failed', reason: 'closed while connecting' })
    })
    socket.on('error', (error) => settle({ kind: 'failed', reason: describe(error) }))
    const event = this.#options.origin.protocol === 'https:' ? 'secureConnect' : 'connect'
    socket.once(event, () => settle({ kind: 'connected', socket }))
    return () => {
      isSettled = true
      clearTimeout(timer)
      socket.destroy()
    }
  }

  /** Takes back a connection whose response ended cleanly. `keepAlive` is the upstream's own header. */
  giveBack(socket: Socket, keepAlive: string | null): void {
    const idleMs = Math.min(this.#options.idleTimeoutMs, readKeepAliveMs(keepAlive))
    if (this.#isClosed || socket.destroyed || !socket.writable || idleMs <= 0) {
      socket.destroy()
      return
    }
    // Whatever happens on an idle connection means that it is no longer ours to use.
    const drop = (): void => {
      socket.destroy()
      const at = this.#idle.findIndex((idle) => idle.socket === socket)
      if (at !== -1) this.#idle.splice(at, 1)
    }
    const discard = (): void => {
      socket.off('data', drop).off('end', drop).off('close', drop)
      socket.setTimeout(0)
      socket.off('timeout', drop)
    }
    socket.on('data', drop).on('end', drop).on('close', drop)
    socket.setTimeout(idleMs, drop)
    socket.resume()
    const expiresAt = this.#options.clock.monotonic() + idleMs
    this.#idle.push({ socket, expiresAt, discard })
  }

  close(): void {
    this.#isClosed = true
    for (const idle of this.#idle.splice(0)) {
      idle.discard()
      idle.socket.destroy()
    }
  }

  #open(): Socket {
    const { origin } = this.#options
    const host = origin.hostname.replace(/^\[|\]$/g, '')
    if (origin.protocol === 'http:') {
      return connectTcp({
        host,
        port: Number(origin.port || 80),
        noDelay: true,
        allowHalfOpen: true,
      })
    }
    // Certificates are always verified: there is no setting for it.
    const socket = connectTls({
      host,
      port: Number(origin.port || 443),
      servername: isAddress(host) ? '' : host,
      ALPNProtocols: ['http/1.1'],
      ...(this.#tlsSession === undefined ? {} : { session: this.#tlsSession }),
    })
    socket.setNoDelay(true)
    socket.on('session', (session) => {
      this.#tlsSession = session
    })
    return socket
  }
}

/** `Keep-Alive: timeout=5`; unlimited where the upstream does not say. */
function readKeepAliveMs(keepAlive: string | null): number {
  const match = keepAlive === null ? null : /timeout=(\d{1,6})/i.exec(keepAlive)
  return match === null ? Infinity : Number(match[1]) * 1000 - KEEP_ALIVE_MARGIN_MS
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':')
}

/** A reason for people, without addresses that a caller has no business to know. */
function describe(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  return code ?? error.message
}

/** What the caller is told when there is no connection. */
export function connectRefusal(
  result: Exclude<Connected, { kind: 'connected' }>,
  providerId: string,
): Refusal {
  switch (result.kind) {
    case 'timeout':
      return refuse(
        'upstream_timeout',
        `The address of ${providerId} did not accept a connection in time.`,
      )
    case 'failed':
      return refuse(
        'upstream_unreachable',
        `The address of ${providerId} could not be reached (${result.reason}).`,
      )
    case 'full': {
      const message = `Too many connections to ${providerId} are open. Try again in a moment.`
      return { ...refuse('overloaded', message), retryAfterSeconds: 1 }
    }
  }
}
