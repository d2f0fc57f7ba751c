// Opens one connection to an origin: TCP, TLS, or TLS in a tunnel through an HTTP proxy. Must stay
// true: certificates are always verified, and a caller that gives up leaves nothing open.

import { connect as connectTcp, isIP } from 'node:net'
import type { OnReadOpts, Socket } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext, TLSSocket } from 'node:tls'

import { readConnectAnswer, writeConnect } from './connect-tunnel.ts'

export interface UpstreamConnectorOptions {
  readonly origin: URL
  /** PEM certificates of authorities trusted besides the usual ones. */
  readonly ca?: string | undefined
  /** A proxy that https origins are reached through by CONNECT. Its userinfo is decodable. */
  readonly proxy?: URL | undefined
}

export interface ConnectAttempt {
  /** Where the socket reads to. Unused inside a tunnel, see `connected`. */
  readonly onread?: OnReadOpts | undefined
  /** `hasOnread` is false where bytes come as 'data' events. Errors have a listener already. */
  connected(socket: Socket, hasOnread: boolean): void
  /** Once, and never together with `connected`; nothing is open then. */
  failed(failure: ConnectFailure): void
}

export interface ConnectFailure {
  /** For people, without addresses that callers should not know. */
  readonly reason: string
  /** True when the way to the upstream failed at the outgoing proxy. */
  readonly isProxy: boolean
}

/** Begins an attempt. Returns a function that gives it up: then nothing is called any more. */
export type UpstreamConnector = (attempt: ConnectAttempt) => () => void

interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Calls can be silent for minutes, and routers forget connections that are. */
const TCP_KEEP_ALIVE_MS = 60_000
const TLS_VERSION_MIN = 'TLSv1.2'
const PROTOCOL = 'http/1.1'

export function createUpstreamConnector(options: UpstreamConnectorOptions): UpstreamConnector {
  const { origin, ca, proxy } = options
  const endpoint = toEndpoint(origin)
  if (origin.protocol === 'http:') {
    return (attempt) => {
      const opening = new Opening(attempt)
      const socket = connectTcp({ ...endpoint, allowHalfOpen: true, ...onreadOf(attempt) })
      opening.add(socket, 'connect', () => opening.finish(socket, attempt.onread !== undefined))
      return opening.giveUp
    }
  }
  const openTls = createTlsOpener(endpoint, ca)
  if (proxy !== undefined) return createTunnelConnector(endpoint, proxy, openTls)
  return (attempt) => {
    const opening = new Opening(attempt)
    const socket = openTls(onreadOf(attempt))
    opening.add(socket, 'secureConnect', () => {
      opening.finishTls(socket, attempt.onread !== undefined)
    })
    return opening.giveUp
  }
}

function createTunnelConnector(
  endpoint: Endpoint,
  proxy: URL,
  openTls: TlsOpener,
): UpstreamConnector {
  const host = isIP(endpoint.host) === 6 ? `[${endpoint.host}]` : endpoint.host
  const request = writeConnect(`${host}:${endpoint.port}`, proxy)
  const proxyEndpoint = toEndpoint(proxy)
  const openProxyTls = proxy.protocol === 'https:' ? createTlsOpener(proxyEndpoint) : null
  return (attempt) => {
    const opening = new Opening(attempt)
    opening.isAtProxy = true
    const outer = openProxyTls === null ? connectTcp({ ...proxyEndpoint }) : openProxyTls({})
    opening.add(outer, openProxyTls === null ? 'connect' : 'secureConnect', () => {
      outer.write(request, 'latin1')
      readConnectAnswer(outer, (fault) => {
        if (fault !== null) return opening.fail(fault)
        opening.isAtProxy = false
        // A socket inside another one has no onread of its own.
        const inner = openTls({ socket: outer })
        inner.once('close', () => outer.destroy())
        opening.add(inner, 'secureConnect', () => opening.finishTls(inner, false))
      })
    })
    return opening.giveUp
  }
}

/** The sockets of one attempt, the outermost first, and how it ends: once, in one way. */
class Opening {
  isAtProxy = false
  readonly #attempt: ConnectAttempt
  readonly #parts: Socket[] = []
  #isOver = false

  constructor(attempt: ConnectAttempt) {
    this.#attempt = attempt
  }

  add(socket: Socket, event: 'connect' | 'secureConnect', ready: () => void): void {
    this.#parts.push(socket)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
    // Stays for the connection's life: a close follows every error, and users listen for that.
    socket.on('error', (error) => this.fail(describe(error)))
    socket.once('close', () => this.fail('closed while connecting'))
    socket.once(event, () => {
      if (!this.#isOver) ready()
    })
  }

  finishTls(socket: TLSSocket, hasOnread: boolean): void {
    const { alpnProtocol } = socket
    const isOurs = alpnProtocol === PROTOCOL || alpnProtocol === false || alpnProtocol === null
    if (isOurs) this.finish(socket, hasOnread)
    else this.fail(`speaks another protocol than ${PROTOCOL}`)
  }

  finish(socket: Socket, hasOnread: boolean): void {
    this.#isOver = true
    this.#attempt.connected(socket, hasOnread)
  }

  fail(reason: string): void {
    if (this.#isOver) return
    this.giveUp()
    this.#attempt.failed({ reason, isProxy: this.isAtProxy })
  }

  readonly giveUp = (): void => {
    this.#isOver = true
    for (const part of this.#parts.toReversed()) part.destroy()
  }
}

type TlsOpener = (over: { readonly onread?: OnReadOpts; readonly socket?: Socket }) => TLSSocket

function createTlsOpener({ host, port }: Endpoint, ca?: string): TlsOpener {
  const secureContext = ca === undefined ? defaultContext() : createContext(ca)
  // Names only (RFC 6066, 3), and without the dot that may end one.
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : ''
  let session: Buffer | undefined
  return (over) => {
    const socket = connectTls({
      host,
      port,
      servername,
      secureContext,
      ALPNProtocols: [PROTOCOL],
      // Explicit, since the environment of the process could otherwise switch it off.
      rejectUnauthorized: true,
      ...(session === undefined ? {} : { session }),
      ...over,
    })
    // The newest is kept: TLS 1.3 tickets are best used once, and each connection brings new ones.
    socket.on('session', (fresh) => {
      session = fresh
    })
    // A session that the other side no longer accepts must not spoil the next attempt too.
    const forget = (): void => {
      session = undefined
    }
    socket.once('error', forget)
    socket.once('secureConnect', () => socket.off('error', forget))
    return socket
  }
}

let sharedContext: SecureContext | undefined

/** Shared by all who trust the usual authorities: it takes memory and milliseconds to make. */
function defaultContext(): SecureContext {
  sharedContext ??= createSecureContext({ minVersion: TLS_VERSION_MIN })
  return sharedContext
}

function createContext(ca: string): SecureContext {
  const usual = getCACertificates('default')
  return createSecureContext({ minVersion: TLS_VERSION_MIN, ca: [...usual, ca] })
}

function onreadOf({ onread }: ConnectAttempt): { readonly onread?: OnReadOpts } {
  return onread === undefined ? {} : { onread }
}

function toEndpoint(url: URL): Endpoint {
  const initial = url.protocol === 'https:' ? 443 : 80
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  return { host, port: url.port === '' ? initial : Number(url.port) }
}

function describe(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  return code ?? error.message
}
