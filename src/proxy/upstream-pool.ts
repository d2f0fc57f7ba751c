// Connections to one upstream origin, kept open between calls. Must stay true: a connection that the
// upstream closed or spoke on while idle is never handed out, and none is handed out twice.

import { connect as connectTcp } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { Sweepable } from './sweep.ts'
import { UpstreamConnection } from './upstream-connection.ts'
import type { UpstreamUser } from './upstream-connection.ts'

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
  | { readonly kind: 'connected'; readonly connection: UpstreamConnection }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'full' }

interface Idle {
  readonly connection: UpstreamConnection
  readonly expiresAt: number
}

// The upstream counts its own idle time from an earlier moment than we do; this much is left to it.
const KEEP_ALIVE_MARGIN_MS = 1000

export class UpstreamPool implements Sweepable {
  readonly #options: UpstreamPoolOptions
  /** The oldest first. */
  #idle: Idle[] = []
  #connections = 0
  #tlsSession: Buffer | undefined
  #isClosed = false

  constructor(options: UpstreamPoolOptions) {
    this.#options = options
  }

  /** An idle connection, or null. The newest first: the others may run out and be closed. */
  takeIdle(): UpstreamConnection | null {
    const now = this.#options.clock.monotonic()
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const { connection, expiresAt } = idle
      if (expiresAt > now && connection.socket.writable) return connection
      connection.destroy()
    }
    return null
  }

  /** Closes what has lain idle for too long. */
  sweep(nowMs: number): void {
    for (const { connection, expiresAt } of this.#idle) {
      if (expiresAt <= nowMs) connection.destroy()
    }
    this.#idle = this.#idle.filter(({ expiresAt }) => expiresAt > nowMs)
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
    socket.once(event, () => {
      settle({ kind: 'connected', connection: new UpstreamConnection(socket) })
    })
    return () => {
      isSettled = true
      clearTimeout(timer)
      socket.destroy()
    }
  }

  /** Takes back a connection whose response ended cleanly. `keepAlive` is the upstream's own header. */
  giveBack(connection: UpstreamConnection, keepAlive: string | null): void {
    const idleMs = Math.min(this.#options.idleTimeoutMs, readKeepAliveMs(keepAlive))
    if (this.#isClosed || !connection.socket.writable || idleMs <= 0) {
      connection.destroy()
      return
    }
    connection.user = this.#watch(connection)
    connection.socket.resume()
    this.#idle.push({ connection, expiresAt: this.#options.clock.monotonic() + idleMs })
  }

  close(): void {
    this.#isClosed = true
    for (const { connection } of this.#idle.splice(0)) connection.destroy()
  }

  /** Whatever happens on an idle connection means that it is no longer ours to use. */
  #watch(connection: UpstreamConnection): UpstreamUser {
    const drop = (): void => {
      this.#idle = this.#idle.filter((idle) => idle.connection !== connection)
      connection.destroy()
    }
    return {
      upstreamBytes: drop,
      upstreamEnded: drop,
      upstreamClosed: drop,
      upstreamDrained: () => {},
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
