// An outgoing proxy that tunnels by CONNECT to this machine, whatever host it is asked for, so that
// names which nobody can look up lead somewhere. It shows the request heads that it got.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TestContext } from 'node:test'

import { readCertificate } from '../certificates.ts'

export interface ConnectProxy {
  readonly port: number
  readonly heads: string[]
  /** How many connections to it are open now. */
  readonly open: () => number
  /** Breaks all of them off. */
  readonly cut: () => void
}

export interface ConnectProxyOptions {
  readonly isTls?: boolean
  /** Pieces that are written one after the other; the tunnel stands behind them. */
  readonly answer?: readonly string[]
  /** False for one that never connects to anything. */
  readonly canTunnel?: boolean
}

const ESTABLISHED = ['HTTP/1.1 200 Connection established\r\n\r\n']

export async function openConnectProxy(
  t: TestContext,
  { isTls = false, answer = ESTABLISHED, canTunnel = true }: ConnectProxyOptions = {},
): Promise<ConnectProxy> {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const take = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let head = ''
    const onData = (bytes: Buffer): void => {
      head += bytes.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      socket.off('data', onData)
      heads.push(head)
      const port = Number(/^CONNECT \S+:(\d+) /.exec(head)?.[1])
      void writePieces(socket, answer).then(() => canTunnel && tunnel(socket, port))
    }
    socket.on('data', onData)
  }
  const server = isTls ? createTlsServer(readCertificate('server'), take) : createServer(take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  t.after(async () => {
    cut()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { port, heads, open: () => sockets.size, cut }
}

async function writePieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function tunnel(socket: Socket, port: number): void {
  const target = connect(port, '127.0.0.1')
  target.on('error', () => socket.destroy())
  socket.on('close', () => target.destroy())
  target.on('close', () => socket.destroy())
  socket.pipe(target)
  target.pipe(socket)
}
