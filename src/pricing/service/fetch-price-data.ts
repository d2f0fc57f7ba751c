// Fetches published price data. Must stay true: every outcome but whole data in time is a failure
// with its reason, and no redirect leads to plain HTTP or from outside to this machine.

import { request as requestPlain } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Agent, request as requestTls } from 'node:https'
import type { PriceUpdateFault } from '../../core/telemetry.ts'
import { VERSION } from '../../core/version.ts'
import { isLoopbackUrl } from '../../config/outgoing-proxy.ts'
import type { ProxyChooser } from '../../config/outgoing-proxy.ts'
import { IMPORT_BYTES_MAX } from '../../store/settings/price-store.ts'

export interface FetchOptions {
  /** Of the data that is in use: the server need not send it again. */
  readonly etag: string | null
  readonly chooseProxy: ProxyChooser
  /** For everything, redirects included. */
  readonly timeLimitMs: number
  /** Cuts it off: the promise is rejected. */
  readonly signal: AbortSignal
}

export interface FetchFault {
  readonly kind: PriceUpdateFault
  /** Continues `The price data could not be fetched:`. */
  readonly reason: string
}

export type FetchOutcome =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'fetched'; readonly text: string; readonly etag: string | null }
  | FetchFault

type Step = FetchOutcome | { readonly kind: 'moved'; readonly to: string }

export const REDIRECTS_MAX = 3
const ETAG_CHARACTERS_MAX = 256
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

export async function fetchPriceData(
  address: string,
  options: FetchOptions,
): Promise<FetchOutcome> {
  const deadline = AbortSignal.timeout(options.timeLimitMs)
  const signal = AbortSignal.any([options.signal, deadline])
  let url = new URL(address)
  try {
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const step = await readStep(await send(url, options, signal), options.etag)
      if (step.kind !== 'moved') return step
      const next = URL.canParse(step.to, url.href) ? new URL(step.to, url.href) : null
      if (next === null || !isSafeRedirect(url, next)) {
        return fault('redirect', 'it is redirected to an address that is not https')
      }
      url = next
    }
    return fault('redirect', `it is redirected more than ${REDIRECTS_MAX} times`)
  } catch (error) {
    if (options.signal.aborted) throw error
    if (deadline.aborted) {
      return fault('timeout', `it was not there after ${options.timeLimitMs / 1000} s`)
    }
    return fault('unreachable', describe(error, options.chooseProxy(url) !== null))
  }
}

function fault(kind: PriceUpdateFault, reason: string): FetchFault {
  return { kind, reason }
}

/** Plain HTTP only within this machine; a server elsewhere cannot send Weir to it. */
function isSafeRedirect(from: URL, to: URL): boolean {
  const isInside = isLoopbackUrl(to)
  if (isInside && !isLoopbackUrl(from)) return false
  return to.protocol === 'https:' || (to.protocol === 'http:' && isInside)
}

function send(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const proxy = options.chooseProxy(url)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `weir/${VERSION}`,
    ...(options.etag !== null && { 'if-none-match': options.etag }),
  }
  // Without an agent of its own, a connection is kept open for a day of silence.
  const agent = proxy === null ? false : new Agent({ proxyEnv: { HTTPS_PROXY: proxy.href } })
  const request = url.protocol === 'https:' ? requestTls : requestPlain
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent, signal }, resolve)
    sent.on('error', reject)
    sent.end()
  })
}

async function readStep(response: IncomingMessage, etag: string | null): Promise<Step> {
  const { statusCode: status = 0, headers } = response
  try {
    if (status === 304 && etag !== null) return { kind: 'unchanged' }
    if (REDIRECTS.includes(status) && headers.location !== undefined) {
      return { kind: 'moved', to: headers.location }
    }
    if (status !== 200) return fault('http_error', `the server answered ${status}`)
    const text = await readBody(response)
    if (text === null) {
      return fault('too_large', `it has more than ${IMPORT_BYTES_MAX / 2 ** 20} MiB`)
    }
    const fresh = headers.etag ?? ''
    const isUsable = fresh !== '' && fresh.length <= ETAG_CHARACTERS_MAX
    return { kind: 'fetched', text, etag: isUsable ? fresh : null }
  } finally {
    response.destroy()
  }
}

/** Null when it is too large. */
async function readBody(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > IMPORT_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const PLAIN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the name of the server cannot be resolved',
  EAI_AGAIN: 'the name of the server cannot be resolved',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
}

/** By code alone: the text of an error may contain a proxy's password. */
function describe(error: unknown, isProxied: boolean): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  const what = PLAIN_WORDS[code] ?? `the connection failed (${code})`
  return isProxied ? `${what}, through the proxy of upstream.httpsProxy or HTTPS_PROXY` : what
}
