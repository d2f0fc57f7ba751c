// Serves the console. Must stay true: only our own files run, and no other site frames a page.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, Hono, Next } from 'hono'
import { errorResponse } from '../answer-error.ts'

/** Replaced by the nonce of the page's styles. */
const NONCE_PLACEHOLDER = '__WEIR_NONCE__'
const NONCE_BYTES = 16

// Vite names assets after their content, so they never change.
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const PAGE_CACHE = 'no-cache'

const NOT_BUILT = `Weir is running, but its console is not built.

Build it in the folder of Weir and start again:

    npm run build
    npm start

The API works without it: GET /v1/openapi.json describes it.
`

/** Takes every other GET; the console itself handles unknown pages. */
export function addConsoleFiles(app: Hono, consoleDir: string | null): void {
  app.get('*', setCache)
  const page = consoleDir === null ? null : readPage(consoleDir)
  if (consoleDir !== null && page !== null) {
    const answerPage = createPageAnswer(page)
    app.get('/', answerPage)
    app.get('/index.html', answerPage)
    app.get('/reference.html', (context) => answerReference(context, consoleDir))
    app.get('/docs', (context) => context.redirect('/docs/index.html'))
    app.get('/docs/:name{.+\\.html}', (context) => {
      const [, name] = /^([\w/-]+\.html)$/.exec(context.req.param('name')) ?? []
      const docs = name === undefined ? null : readPage(consoleDir, join('docs', name))
      if (docs === null) return errorResponse('not_found', 'There is no such page.')
      return createPageAnswer(docs)(context)
    })
    app.get('*', serveStatic({ root: consoleDir, precompressed: true }))
    // A missing script must not be answered with a page: the browser would try to run it.
    app.get('/assets/*', () => errorResponse('not_found', 'There is no such file.'))
    app.get('*', answerPage)
  }
  app.get('*', (context) => context.text(NOT_BUILT))
}

/** The API's reference, a page beside the console's. */
export function answerReference(context: Context, consoleDir: string | null): Response {
  const page = consoleDir === null ? null : readPage(consoleDir, 'reference.html')
  return page === null ? context.text(NOT_BUILT) : createPageAnswer(page)(context)
}

function readPage(consoleDir: string, name = 'index.html'): string | null {
  const file = join(consoleDir, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** A nonce per answer: one that was seen is worthless. */
function createPageAnswer(page: string): (context: Context) => Response {
  return (context) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    return context.html(page.replaceAll(NONCE_PLACEHOLDER, nonce), 200, {
      'Content-Security-Policy': toPolicy(nonce),
    })
  }
}

function toPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function setCache(context: Context, next: Next): Promise<void> {
  await next()
  const isAsset = context.req.path.startsWith('/assets/') && context.res.status === 200
  context.header('Cache-Control', isAsset ? ASSET_CACHE : PAGE_CACHE)
}
