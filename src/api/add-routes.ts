// Serves declared routes. Every other method of their paths is refused with the names of those that
// the path has.

import type { Hono } from 'hono'
import { errorResponse } from './answer-error.ts'
import type { ApiServices } from './api-options.ts'
import type { ApiRoute } from './define-route.ts'

/** In the order in which a refusal names them. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

/** The first path that fits a request takes it. Hono answers HEAD by the route of GET. */
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
