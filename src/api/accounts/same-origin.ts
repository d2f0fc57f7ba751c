// Refuses what another site's page made a browser send. Must stay true: nothing is changed in the
// name of a cookie unless the browser says that a page of our own asked for it.

import type { Context } from 'hono'
import { WeirError } from '../../core/weir-error.ts'

export interface SameOriginOptions {
  /** Where people reach the console; null where the Host header says. */
  readonly publicUrl: string | null
  /** With a cookie the browser must say so; else it must not say otherwise. */
  readonly hasCookie: boolean
}

const SAFE_METHODS = ['GET', 'HEAD']
/** RFC 9110, section 8.3.1: read without regard to case, parameters aside. */
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
  // A form of another site can be sent without asking us first; JSON cannot.
  if (hasBody(context) && !isJson) {
    throw new WeirError('cross_site', 'The body must be sent as application/json.')
  }
}

function isSameOrigin(context: Context, { publicUrl, hasCookie }: SameOriginOptions): boolean {
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  if (site !== undefined) return site === 'same-origin'
  // Browsers before 2023, or without https, leave the former out.
  if (origin === undefined) return !hasCookie
  if (publicUrl !== null && origin === publicUrl) return true
  return URL.parse(origin)?.host === context.req.header('host')?.toLowerCase()
}

function hasBody(context: Context): boolean {
  const length = context.req.header('content-length')
  return (length ?? '0') !== '0' || context.req.header('transfer-encoding') !== undefined
}
