// The supervisor binds the ports once and hands them to its processes: callers are never refused,
// even when every process behind a port has died and the next is starting.

import { lookup } from 'node:dns/promises'

import type { Config } from '../config/config.ts'
import { toPublicUrl } from '../config/sign-in-urls.ts'
import { WeirError } from '../core/weir-error.ts'
import { bindSocket } from './bind-socket.ts'

export interface BoundPort {
  readonly host: string
  readonly port: number
  readonly fd: number
  close(): void
}

export interface PortRequest {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** What its settings begin with, for the error message: `WEIR_PROXY`. */
  readonly setting: string
}

export async function bindPort(request: PortRequest): Promise<BoundPort> {
  try {
    const { address } = await lookup(request.host)
    const socket = bindSocket({ host: address, port: request.port })
    return {
      host: request.host,
      port: socket.address().port,
      fd: socket.fd(),
      close: () => socket.close(),
    }
  } catch (cause) {
    throw toPortError(request, cause)
  }
}

export function toPortError({ host, port, setting }: PortRequest, cause: unknown): WeirError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException
  const at = `${host}:${port}`
  if (code === 'EADDRINUSE') {
    return new WeirError('port_taken', `The port ${at} is taken by another program.`, {
      hint: `Stop that program, or choose another port with ${setting}_PORT.`,
      cause,
    })
  }
  return new WeirError('port_taken', `Cannot listen on ${at} (${code}).`, {
    hint: `Choose another address with ${setting}_HOST, or another port with ${setting}_PORT.`,
    cause,
  })
}

interface Address {
  readonly host: string
  readonly port: number
  readonly isTls?: boolean
}

/** What listens on every address is reached on this machine by loopback's. */
const LOOPBACKS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

export function toUrl(address: Address): string {
  const name = LOOPBACKS.get(address.host) ?? address.host
  const host = name.includes(':') ? `[${name}]` : name
  return `${address.isTls === true ? 'https' : 'http'}://${host}:${address.port}`
}

/** For callers. With port 0 it is another one, which only the process that listens knows. */
export function toProxyUrl({ proxy, tls }: Config, port: number = proxy.port): string {
  const { host, publicUrl } = proxy
  const stated = publicUrl === undefined ? null : toPublicUrl(publicUrl)
  return stated ?? toUrl({ host, port, isTls: tls.cert !== undefined })
}

/** As configured: with port 0 it is another one. */
export function toApiUrl({ api }: Pick<Config, 'api'>): string {
  return toUrl({ ...api, isTls: api.tls.cert !== undefined })
}
