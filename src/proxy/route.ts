// From a request target to a provider and the path that goes on. That path is never decoded or
// normalised: signatures and providers depend on its bytes. A plain copy says which call it is.

import type { GuardedProvider } from '../providers/guarded-provider.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { StoredCredentials } from '../policy/stored-credentials.ts'
import { toPlainPath } from '../wire/http/plain-path.ts'
import type { Upstream } from './upstream-pool.ts'

export interface Route {
  readonly provider: GuardedProvider
  readonly upstream: Upstream
  /** As the operator states it, for calls that name none themselves. */
  readonly region?: string | undefined
  /** Null where the operator stored none. */
  readonly credentials: StoredCredentials | null
}

export interface Target {
  /** As the path has it: there may be no such provider. */
  readonly providerId: string
  /** Everything after `/v1/{provider}`, without the query. */
  readonly path: string
  /** The same in one spelling, by which operations are found. */
  readonly plainPath: string
  /** Without the question mark. */
  readonly query: string
  readonly forwarded: string
}

const ROUTED = /^\/v1\/([^/?#]+)([^?#]*)(?:\?(.*))?$/
// A `.` or `..` segment, also percent-encoded or with a parameter: an upstream might resolve it out
// of its base path, or into another call than the one that was judged.
const DOT_SEGMENT = /(?:^|\/|%2f|%5c)(?:\.|%2e){1,2}(?:[;/]|%2f|%5c|%3b|$)/i

export function parseTarget(target: string): Target | Refusal {
  const queryAt = target.indexOf('?')
  const pathEnd = queryAt === -1 ? target.length : queryAt
  if (DOT_SEGMENT.test(target.slice(0, pathEnd)) || target.includes('\\')) {
    return refuse(
      'bad_request',
      'The path has a "." or ".." segment or a backslash. Send it without.',
    )
  }
  if (target.includes('#')) {
    return refuse('bad_request', 'The request target has a fragment ("#"). Send it without.')
  }
  const match = ROUTED.exec(target)
  if (match === null) {
    return refuse(
      'unknown_provider',
      `There is nothing at this path. Calls go to /v1/{provider}/…, for example /v1/{provider}/v1/models.`,
    )
  }
  const [, providerId = '', path = '', query] = match
  const forwarded = `${path === '' ? '/' : path}${query === undefined ? '' : `?${query}`}`
  return { providerId, path, plainPath: toPlainPath(path), query: query ?? '', forwarded }
}

export interface Routed {
  readonly route: Route
  readonly target: Target
}

/** A provider's id comes first, so that an operator's own provider may have any. */
export function findRoute(routes: ReadonlyMap<string, Route>, target: Target): Routed | Refusal {
  const { providerId } = target
  const route = routes.get(providerId)
  if (route !== undefined) return { route, target }
  const rooted = findRootRoute(routes, target)
  if (rooted !== null) return rooted
  const known = [...routes.keys()].join(', ')
  return refuse(
    'unknown_provider',
    `There is no provider ${isName(providerId) ? `at /v1/${providerId}` : 'of that name'}. There are: ${known}. Others can be added under "providers" in the configuration.`,
  )
}

/** Some clients call a few paths at the top, whatever their base address: those go on unchanged. */
function findRootRoute(routes: ReadonlyMap<string, Route>, target: Target): Routed | null {
  const rootPath = `/v1/${target.providerId}`
  const path = rootPath + target.path
  for (const route of routes.values()) {
    if (route.provider.rootPaths?.includes(path) !== true) continue
    const query = target.forwarded.slice(Math.max(target.path.length, 1))
    return { route, target: { ...target, path, plainPath: path, forwarded: path + query } }
  }
  return null
}

/** As the upstream gets it, with its line end. */
export function toRequestLine(
  { method, minor }: { readonly method: string; readonly minor: number },
  { upstream }: Route,
  forwarded: string,
): string {
  return `${method} ${upstream.basePath}${forwarded} HTTP/1.${minor}\r\n`
}

/** Fit for a log or an answer. Anything else, such as a key in the wrong place, is not repeated. */
export function isName(providerId: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/i.test(providerId)
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value
}
