// Which hosts and origins the API answers to. Must stay true: a page of another site that points
// its own name at this machine (DNS rebinding) reads nothing here.

import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { isOwnOrigin } from './accounts/same-origin.ts'
import { errorResponse } from './answer-error.ts'

export interface ApiHosts {
  /** The address that the port is bound to, as configured. */
  readonly bound: string
  /** Further names, as configured. */
  readonly allowed: readonly string[]
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/
const WILDCARDS = ['0.0.0.0', '::']
/** Probes and scrapers use pod addresses and service names. They contain no key, user or model. */
const OPEN_PATHS = ['/healthz', '/readyz', '/metrics']

export interface HostCheckOptions {
  readonly hosts: ApiHosts | null
  readonly publicUrl: string | null
}

export function createHostCheck(options: HostCheckOptions): MiddlewareHandler {
  const isAllowed = createHostRule(options)
  return async (context, next) => {
    const foreign = OPEN_PATHS.includes(context.req.path)
      ? undefined
      : namesOf(context).find((name) => !isAllowed(name))
    if (foreign === undefined) return next()
    return errorResponse(
      'misdirected_request',
      `Weir's API does not answer to the host ${foreign}. If it is a name of this Weir, add it to api.allowedHosts (WEIR_API_ALLOWED_HOSTS), or set console.publicUrl.`,
    )
  }
}

/** Without an Origin it is no browser. One with a wrong Host is refused before. */
export function createOriginCheck(publicUrl: string | null): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin')
    if (origin === undefined || isOwnOrigin(context, origin, publicUrl)) return next()
    return errorResponse('cross_site', "This was not asked for by a page of Weir's own.")
  }
}

function createHostRule({ hosts, publicUrl }: HostCheckOptions): (name: string) => boolean {
  const given = hosts === null ? [] : [hosts.bound, ...hosts.allowed].map(parseHost)
  const names = new Set([...given, publicUrl === null ? null : parseHost(new URL(publicUrl).host)])
  const isAnyAddress = hosts !== null && WILDCARDS.includes(parseHost(hosts.bound) ?? '')
  return (name) => LOOPBACK.test(name) || names.has(name) || (isAnyAddress && isIP(name) !== 0)
}

/** A target in absolute form has a host of its own (RFC 9112, section 3.2.2). */
function namesOf(context: Context): readonly string[] {
  const { host } = new URL(context.req.url)
  return [context.req.header('host') ?? host, host].map((each) => parseHost(each) ?? each)
}

/** Lower case, without port, brackets and final dot; null where it is no host. */
export function parseHost(text: string): string | null {
  const isBareSix = isIP(text) === 6
  const url = URL.parse(`http://${isBareSix ? `[${text}]` : text}`)
  return url === null ? null : url.hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '')
}
