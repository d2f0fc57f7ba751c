// Serves declared routes. Other methods on their paths are refused with the list of allowed ones.

import type { Hono } from 'hono'
import { errorResponse } from './answer-error.ts'
import type { ApiServices } from './api-options.ts'
import type { ApiRoute } from './define-route.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

/** The first matching path wins. Hono answers HEAD with the route of GET. */
export function addRoutes(app: Hono, routes: readonly ApiRoute[], services: ApiServices): void {
  const byPath = Map.groupBy(routes, ({ path }) => path)
  for (const [path, methods] of byPath) {
    for (const { method, around, answer } of methods) {
      if (around !== null) app.use(path, around)
      app.on(method, path, (context) => answer(context, services))
    }
    const taken = METHODS.filter((each) => methods.some(({ method }) => method === each))
    app.all(path, () => notAllowed(taken.join(', ').replace('GET', 'GET, HEAD')))
  }
}

export function notAllowed(allow: string): Response {
  return errorResponse('method_not_allowed', `This path takes ${allow} only.`, { Allow: allow })
}
