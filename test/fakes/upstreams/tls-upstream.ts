// An upstream behind TLS that shows what was negotiated with it, and answers as it is told to.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { TLSSocket, TlsOptions } from 'node:tls'
import type { TestContext } from 'node:test'

import { readCertificate } from '../certificates.ts'
import type { CertificateName } from '../certificates.ts'

export interface TlsUpstreamConnection {
  readonly socket: TLSSocket
  readonly servername: string | false | null
  readonly isResumed: boolean
  received: string
}

export interface TlsUpstream {
  readonly port: number
  readonly connections: TlsUpstreamConnection[]
}

export interface TlsUpstreamOptions {
  readonly certificate?: CertificateName
  readonly host?: string
  readonly tls?: TlsOptions
  /** Called with every piece that comes. */
  readonly script?: (connection: TlsUpstreamConnection) => void
}

export async function openTlsUpstream(
  t: TestContext,
  options: TlsUpstreamOptions = {},
): Promise<TlsUpstream> {
  const connections: TlsUpstreamConnection[] = []
  const certificate = readCertificate(options.certificate ?? 'server')
  const server = createServer({ ...certificate, ...options.tls }, (socket) => {
    const { servername } = socket as TLSSocket & { servername: string | false | null }
    const isResumed = socket.isSessionReused()
    const connection = { socket, servername, isResumed, received: '' }
    connections.push(connection)
    socket.on('data', (bytes) => {
      connection.received += bytes.toString('latin1')
      options.script?.(connection)
    })
    socket.on('error', () => {})
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.listen(0, options.host ?? '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const { socket } of connections) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, connections }
}

/** Answers each request head with the same response. */
export function answeringTls(response: string): (connection: TlsUpstreamConnection) => void {
  return (connection) => {
    if (!connection.received.includes('\r\n\r\n')) return
    connection.received = ''
    connection.socket.write(response, 'latin1')
  }
}
