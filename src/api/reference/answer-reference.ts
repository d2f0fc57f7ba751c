// The OpenAPI document, for machines and as a page. Both are made when they are first asked for and kept:
// anybody may ask, and making them takes the time of many answers.

import { createHash } from 'node:crypto'
import type { Handler } from 'hono'
import { createOpenApiDocument } from './openapi.ts'
import { renderReferencePage } from './reference-page.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

// Its own style and nothing else: no script, no picture, no frame, no form.
const STYLE_HASH = createHash('sha256').update(REFERENCE_STYLE).digest('base64')
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
} as const

export interface Reference {
  readonly answerDocument: Handler
  readonly answerPage: Handler
}

export function createReference(version: string): Reference {
  let document: string | null = null
  let page: string | null = null
  return {
    answerDocument: (context) => {
      document ??= JSON.stringify(createOpenApiDocument(version))
      return context.body(document, 200, { 'Content-Type': 'application/json' })
    },
    answerPage: (context) => {
      page ??= renderReferencePage(createOpenApiDocument(version))
      return context.body(page, 200, PAGE_HEADERS)
    },
  }
}
