// Sends one body to one address. Must stay true: unless allowed, it connects to no address inside
// the network, whatever the name resolves to by now and wherever the response redirects.

import { request as requestPlain } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

import { addressFault, hostFault, hostOf } from './target-address.ts'
import type { AddressRules, Lookup } from './target-address.ts'

export interface PostOptions extends AddressRules {
  readonly timeLimitMs: number
  /** Cuts it off: the promise is rejected. */
  readonly signal: AbortSignal
}

export interface Post {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type PostOutcome = { readonly status: number } | { readonly fault: string }

const ANSWER_BYTES_MAX = 65_536

export async function postJson(post: Post, options: PostOptions): Promise<PostOutcome> {
  const url = new URL(post.address)
  const host = hostOf(url)
  // A literal address is connected to without any lookup.
  const fault = options.allowPrivate ? null : hostFault(host)
  if (fault !== null) return { fault }
  const body = Buffer.from(post.body)
  const send = url.protocol === 'https:' ? requestTls : requestPlain
  const request = send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      ...post.headers,
    },
    // A new connection: none checked for another target is reused, and no configured proxy.
    agent: false,
    lookup: createCheckedLookup(options),
    signal: options.signal,
  })
  request.end(body)
  return readOutcome(request, options)
}

/** Resolves once; what arrives later is dropped with the connection. */
function readOutcome(request: ClientRequest, options: PostOptions): Promise<PostOutcome> {
  const { timeLimitMs, signal } = options
  return new Promise((resolve, reject) => {
    let status: number | null = null
    const settle = (fault: string): void => {
      clearTimeout(timer)
      if (signal.aborted) reject(signal.reason)
      else resolve(status === null ? { fault } : { status })
      request.destroy()
    }
    const timer = setTimeout(() => settle(`no answer within ${timeLimitMs / 1000} s`), timeLimitMs)
    request.on('error', (error) => settle(describe(error)))
    request.on('response', (response) => {
      status = response.statusCode ?? 0
      drain(response, () => settle(''))
    })
    request.on('close', () => settle('the connection was closed without an answer'))
  })
}

/** Read, so that its sender can finish, but not without a limit. */
function drain(response: IncomingMessage, done: () => void): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) done()
  })
  response.on('end', done)
  response.on('error', done)
}

/** Connections go to the very addresses it returns. */
function createCheckedLookup({ allowPrivate, lookup }: AddressRules): LookupFunction {
  return (host, { all }, callback) => {
    const answer = async (): Promise<void> => {
      const found = await readAddresses(host, lookup)
      const fault = allowPrivate ? null : addressFault(host, found)
      const [first = ''] = found
      if (found.length === 0) callback(new Error(`the name ${host} cannot be resolved`), '')
      else if (fault !== null) callback(new Error(fault), '')
      else if (all === true) callback(null, found.map(toFound))
      else callback(null, first, isIP(first))
    }
    void answer()
  }
}

const toFound = (address: string) => ({ address, family: isIP(address) })

async function readAddresses(host: string, lookup: Lookup): Promise<readonly string[]> {
  try {
    return await lookup(host)
  } catch {
    return []
  }
}

const DETAIL_CHARACTERS_MAX = 300
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
}

function describe(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return (PLAIN_WORDS[code] ?? (error.message || code)).slice(0, DETAIL_CHARACTERS_MAX)
}
