// A proxy with a certificate in front of a plain HTTP address, as operators put one before Weir.

import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { readCertificate } from '../certificates.ts'

export interface TlsFront {
  /** `https://127.0.0.1:port` */
  readonly url: string
  close(): Promise<void>
}

export async function openTlsFront(plainUrl: string): Promise<TlsFront> {
  const { hostname: host, port } = new URL(plainUrl)
  const server = createServer(readCertificate('server'), (socket) => {
    const behind = connect({ host, port: Number(port) })
    // What breaks on one side ends the other.
    socket.on('error', () => behind.destroy()).on('close', () => behind.destroy())
    behind.on('error', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
