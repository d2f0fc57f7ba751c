// Refuses cross-site requests. Must stay true: with a cookie, only our own pages change anything.

import type { Context } from 'hono'
import { WeirError } from '../../core/weir-error.ts'

export interface SameOriginOptions {
  /** Null: the Host header decides. */
  readonly publicUrl: string | null
  /** With a cookie the browser must confirm it; without one it must not deny it. */
  readonly hasCookie: boolean
}

const SAFE_METHODS = ['GET', 'HEAD']
/** RFC 9110, section 8.3.1: any case, with or without parameters. */
const JSON_TYPE = /^application\/json(?:\s*;|$)/i

/** Throws `cross_site`. */
export function refuseCrossSite(context: Context, options: SameOriginOptions): void {
  if (SAFE_METHODS.includes(context.req.method)) return
  if (!isSameOrigin(context, options)) {
    throw new WeirError('cross_site', "This was not asked for by a page of Weir's own.", {
      hint: 'Programs send an access token instead of a cookie.',
    })
  }
  const type = context.req.header('content-type')
  const isJson = type === undefined ? !options.hasCookie : JSON_TYPE.test(type)
  // Another site's form is sent without asking us first; JSON is not.
  if (hasBody(context) && !isJson) {
    throw new WeirError('cross_site', 'The body must be sent as application/json.')
  }
}

function isSameOrigin(context: Context, { publicUrl, hasCookie }: SameOriginOptions): boolean {
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  if (site !== undefined) return site === 'same-origin'
  // Browsers before 2023, or without https, omit Sec-Fetch-Site.
  if (origin === undefined) return !hasCookie
  return isOwnOrigin(context, origin, publicUrl)
}

/** Without `publicUrl` the Host header decides. */
export function isOwnOrigin(context: Context, origin: string, publicUrl: string | null): boolean {
  if (publicUrl !== null && origin === publicUrl) return true
  return URL.parse(origin)?.host === context.req.header('host')?.toLowerCase()
}

function hasBody(context: Context): boolean {
  const length = context.req.header('content-length')
  return (length ?? '0') !== '0' || context.req.header('transfer-encoding') !== undefined
}
