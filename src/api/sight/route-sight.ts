// How a route is declared to be scoped, and whether a request's caller is.

import type { Context } from 'hono'

/**
 * company  about all of it: who sees single teams is refused
 * scoped   everyone is answered as far as they see
 * anyone   about nobody's calls and settings, or about the asker's own account
 */
export type RouteSight = 'company' | 'scoped' | 'anyone'

const IS_SCOPED = 'isScoped'

export function noteScoped(context: Context): void {
  context.set(IS_SCOPED, true)
}

export function isScoped(context: Context): boolean {
  return context.get(IS_SCOPED) === true
}
