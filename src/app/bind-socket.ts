// A socket that is bound and does not listen yet. Node has one from 24.19 and 26.4 on; what that is
// made of is reached by its older, discouraged way before.

import net from 'node:net'
import { getSystemErrorName } from 'node:util'

/** The part of `net.BoundSocket` that is used. */
export interface BoundSocket {
  address(): { readonly port: number }
  fd(): number
  close(): void
}

interface SocketAddress {
  /** An IP address. */
  readonly host: string
  readonly port: number
}

/** Throws an error with the system's code. */
export function bindSocket(place: SocketAddress): BoundSocket {
  const { BoundSocket: Known } = net as Partial<Pick<typeof net, 'BoundSocket'>>
  if (Known === undefined) return bindHandle(place)
  return new Known(place) as BoundSocket
}

interface Handle {
  readonly fd: number
  bind(host: string, port: number): number
  bind6(host: string, port: number, flags: number): number
  getsockname(address: object): number
  close(): void
}

interface Bindings {
  binding(name: 'tcp_wrap'): {
    readonly TCP: new (type: number) => Handle
    readonly constants: { readonly SERVER: number }
  }
}

/** As Node's own class does it. Exported for its test. */
export function bindHandle({ host, port }: SocketAddress): BoundSocket {
  const { TCP, constants } = (process as unknown as Bindings).binding('tcp_wrap')
  const handle = new TCP(constants.SERVER)
  const refuse = (failure: number): void => {
    if (failure === 0) return
    handle.close()
    const code = getSystemErrorName(failure)
    throw Object.assign(new Error(`bind ${code} ${host}:${port}`), { code })
  }
  refuse(net.isIPv6(host) ? handle.bind6(host, port, 0) : handle.bind(host, port))
  const address = { port: 0 }
  // A port that is in use is noticed here at the latest.
  refuse(handle.getsockname(address))
  return { address: () => address, fd: () => handle.fd, close: () => handle.close() }
}
