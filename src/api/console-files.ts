// Serves the built console. Must stay true: pages run nothing but our own files and are framed by
// nobody, for they hold an access token.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, Hono, Next } from 'hono'
import { errorResponse } from './answer-error.ts'

const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  // The address of the set-up page holds the one-time code.
  'Referrer-Policy': 'no-referrer',
} as const

// Vite names assets after their content, so one of that name never changes.
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const PAGE_CACHE = 'no-cache'

const NOT_BUILT = `Weir is running, but its console is not built.

Build it in the folder of Weir and start again:

    npm run build
    npm start

The API works without it: GET /v1/openapi.json describes it.
`

/** Takes every GET that no route before it took; unknown pages get the console, which knows its routes. */
export function addConsoleFiles(app: Hono, consoleDir: string | null): void {
  app.get('*', setPageHeaders)
  if (consoleDir !== null && existsSync(join(consoleDir, 'index.html'))) {
    app.get('*', serveStatic({ root: consoleDir }))
    // A missing script must not be answered with a page: the browser would try to run it.
    app.get('/assets/*', () => errorResponse('not_found', 'There is no such file.'))
    app.get('*', serveStatic({ root: consoleDir, path: 'index.html' }))
  }
  app.get('*', (context) => context.text(NOT_BUILT))
}

async function setPageHeaders(context: Context, next: Next): Promise<void> {
  await next()
  for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value)
  const isAsset = context.req.path.startsWith('/assets/') && context.res.status === 200
  context.header('Cache-Control', isAsset ? ASSET_CACHE : PAGE_CACHE)
}
