// What can turn a request into another one than its first line says, at servers that obey certain
// headers and parameters or undo escapes once more. Must stay true: a header that only repeats what
// the first line says is no reason to refuse.

import type { RequestView } from '../providers/provider.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { HIDING_HEADERS, NAMING_HEADERS } from '../wire/http/model-headers.ts'

const METHOD_HEADERS = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-method',
  'x-forwarded-method',
  'x-envoy-original-method',
]

const PATH_HEADERS = [
  'x-original-url',
  'x-original-uri',
  'x-original-path',
  'x-rewrite-url',
  'x-rewrite-uri',
  'x-rewrite-path',
  'x-override-url',
  'x-forwarded-path',
  'x-forwarded-uri',
  'x-http-path-override',
  'x-envoy-original-path',
]

/** Parameters of the query that do the same at some servers, in lower case. */
const REROUTING_PARAMETERS = new Set([
  '_method',
  '$httpmethod',
  '$httpheaders',
  '$req',
  '$ct',
  ...METHOD_HEADERS,
  ...PATH_HEADERS,
])

/** An escape of an escape, or one behind which some server sees the path's end. */
const UNCERTAIN_PATH = /\\|%(?:[01]|23|25|3f|5c|7f)/i

/** What a proxy in front may have taken off a path: plain folders. */
const FOLDERS = /^(?:\/[\w-]+)*$/

/** Behind a body these would come too late to be judged, and some servers take them for headers. */
const HEAD_ONLY = new Set([
  ...METHOD_HEADERS,
  ...PATH_HEADERS,
  ...NAMING_HEADERS,
  ...HIDING_HEADERS,
  'connection',
  'content-encoding',
  'content-type',
  'upgrade',
])

interface ReroutedRequest {
  readonly head: RequestHead
  readonly view: RequestView
}

/** Why it could be taken for another request, and what to do; null where it could not. */
export function findRerouting({ head, view }: ReroutedRequest): string | null {
  const isSame = (value: string): boolean => value.toUpperCase() === head.method
  const header =
    METHOD_HEADERS.find((name) => !view.headers(name).every(isSame)) ??
    PATH_HEADERS.find((name) => !view.headers(name).every((value) => leadsTo(value, head.target)))
  if (header !== undefined) {
    return `the header ${header} can turn it into another one, so leave it out`
  }
  const parameters = new URLSearchParams(view.query).keys()
  if (parameters.some((name) => REROUTING_PARAMETERS.has(name.toLowerCase()))) {
    return 'its query can turn it into another one'
  }
  if (UNCERTAIN_PATH.test(view.path)) {
    return 'its path can be read in more than one way, so write it without %25, %23, %3F and %5C'
  }
  return null
}

/** In lower case: true for a header that must not come behind the body. */
export function isHeadOnly(name: string): boolean {
  return HEAD_ONLY.has(name)
}

/** A proxy in front says where a request came to, which may be in a folder of its own. */
function leadsTo(value: string, target: string): boolean {
  return value.endsWith(target) && FOLDERS.test(value.slice(0, value.length - target.length))
}
