// Connections to one upstream origin, kept open between calls. Must stay true: a connection that
// the upstream closed or spoke on while idle is never handed out, and none is handed out twice.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { Expiring } from './deadlines.ts'
import { UpstreamConnection } from './upstream-connection.ts'
import type { UpstreamUser } from './upstream-connection.ts'
import type { ConnectFailure, UpstreamConnector } from './upstream-connector.ts'

export interface Upstream {
  readonly host: string
  /** Put in front of every path; without a slash at its end. */
  readonly basePath: string
  readonly pool: UpstreamPool
}

export interface UpstreamPoolOptions {
  readonly connector: UpstreamConnector
  /** Covers all of it: looking up the name, TCP, an outgoing proxy and TLS. */
  readonly connectTimeoutMs: number
  /** How long a connection may lie idle. Shorter where the upstream says so. */
  readonly idleTimeoutMs: number
  readonly connectionsMax: number
  readonly clock: Clock
  readonly meter: Meter
}

export type Connected =
  | { readonly kind: 'connected'; readonly connection: UpstreamConnection }
  | ({ readonly kind: 'failed' } & ConnectFailure)
  | { readonly kind: 'timeout' }
  | { readonly kind: 'full' }

// The upstream counts its own idle time from an earlier moment than we do; this much is left to it.
const KEEP_ALIVE_MARGIN_MS = 1000

export class UpstreamPool implements Expiring {
  readonly #options: UpstreamPoolOptions
  /** The oldest first. */
  #idle: UpstreamConnection[] = []
  #connections = 0
  #isClosed = false

  constructor(options: UpstreamPoolOptions) {
    this.#options = options
  }

  /** An idle connection, or null. The newest first: the others may run out and be closed. */
  takeIdle(): UpstreamConnection | null {
    if (this.#idle.length === 0) return null
    const now = this.#options.clock.monotonic()
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return null
      if (connection.idleUntil > now && connection.socket.writable) return connection
      connection.destroy()
    }
  }

  checkDeadline(nowMs: number): void {
    if (!this.#idle.some(({ idleUntil }) => idleUntil <= nowMs)) return
    for (const connection of this.#idle) if (connection.idleUntil <= nowMs) connection.destroy()
    this.#idle = this.#idle.filter(({ idleUntil }) => idleUntil > nowMs)
  }

  /** Opens a new connection. Returns a function that gives up waiting. */
  connect(done: (result: Connected) => void): () => void {
    const { connectionsMax, connectTimeoutMs, connector, meter } = this.#options
    if (this.#connections >= connectionsMax) {
      meter.add('limitsHit', 1, 'upstream_connections')
      done({ kind: 'full' })
      return () => {}
    }
    this.#connections++
    meter.add('upstreamConnections', 1)
    const forget = (): void => {
      this.#connections--
      meter.add('upstreamConnections', -1)
    }
    let isSettled = false
    const settle = (): void => {
      isSettled = true
      clearTimeout(timer)
    }
    const connection = new UpstreamConnection()
    const giveUp = connector({
      onread: connection.onread,
      connected: (socket) => {
        settle()
        socket.once('close', forget)
        connection.attach(socket)
        connection.idleUser = this.#watch(connection)
        done({ kind: 'connected', connection })
      },
      failed: (failure) => {
        settle()
        forget()
        done({ kind: 'failed', ...failure })
      },
    })
    const abandon = (): void => {
      if (isSettled) return
      settle()
      giveUp()
      forget()
    }
    const timer = setTimeout(() => {
      abandon()
      meter.add('limitsHit', 1, 'connect_time')
      done({ kind: 'timeout' })
    }, connectTimeoutMs)
    return abandon
  }

  /** Takes back a connection whose response ended cleanly. `keepAlive` is the upstream's header. */
  giveBack(connection: UpstreamConnection, keepAlive: string | null): void {
    const idleMs = Math.min(this.#options.idleTimeoutMs, readKeepAliveMs(keepAlive))
    if (this.#isClosed || !connection.socket.writable || idleMs <= 0) {
      connection.destroy()
      return
    }
    connection.user = connection.idleUser
    connection.idleUntil = this.#options.clock.monotonic() + idleMs
    if (connection.socket.isPaused()) connection.socket.resume()
    this.#idle.push(connection)
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#idle.splice(0)) connection.destroy()
  }

  /** Whatever happens on an idle connection means that it is no longer ours to use. */
  #watch(connection: UpstreamConnection): UpstreamUser {
    const drop = (): void => {
      this.#idle = this.#idle.filter((idle) => idle !== connection)
      connection.destroy()
    }
    return {
      upstreamBytes: drop,
      upstreamEnded: drop,
      upstreamClosed: drop,
      upstreamDrained: () => {},
    }
  }
}

/** `Keep-Alive: timeout=5`; unlimited where the upstream does not say. */
function readKeepAliveMs(keepAlive: string | null): number {
  const match = keepAlive === null ? null : /timeout=(\d{1,6})/i.exec(keepAlive)
  return match === null ? Infinity : Number(match[1]) * 1000 - KEEP_ALIVE_MARGIN_MS
}

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
      return refuse('upstream_unreachable', describeFailure(result, providerId))
    case 'full': {
      const message = `Too many connections to ${providerId} are open. Try again in a moment.`
      return { ...refuse('overloaded', message), retryAfterSeconds: 1 }
    }
  }
}

// Node's codes for a certificate that no known authority vouches for.
const UNTRUSTED: readonly string[] = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

function describeFailure({ reason, isProxy }: ConnectFailure, providerId: string): string {
  if (isProxy) {
    const what = `The outgoing proxy did not open a way to ${providerId} (${reason}).`
    return `${what} It is set by upstream.httpsProxy or HTTPS_PROXY.`
  }
  const certificate = `The certificate of ${providerId} was not accepted (${reason}).`
  if (UNTRUSTED.includes(reason)) {
    return `${certificate} If its authority is your own, name that in providers.${providerId}.ca.`
  }
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${certificate} It is made for another name than the one in providers.${providerId}.url.`
  }
  if (reason === 'CERT_HAS_EXPIRED') return `${certificate} It has to be renewed over there.`
  return `The address of ${providerId} could not be reached (${reason}).`
}
