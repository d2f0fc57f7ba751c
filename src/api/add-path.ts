// One path of the API with the methods it takes. Must stay true: every other method of a path is refused with the names of
// those that it has.

import type { Hono, Handler } from 'hono'
import { errorResponse } from './answer-error.ts'

export function addGet(app: Hono, path: string, handler: Handler): void {
  addPath(app, path, { GET: handler })
}

/** Hono answers HEAD by the route of GET. */
export function addPath(
  app: Hono,
  path: string,
  handlers: Readonly<Record<string, Handler>>,
): void {
  for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler)
  const allow = Object.keys(handlers).map((method) => (method === 'GET' ? 'GET, HEAD' : method))
  app.all(path, () => notAllowed(allow.join(', ')))
}

export function notAllowed(allow: string): Response {
  return errorResponse('method_not_allowed', `This path takes ${allow} only.`, { Allow: allow })
}
