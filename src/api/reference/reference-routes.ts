// The OpenAPI document, for machines and as a page.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ANYONE } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { text } from '../route-answers.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

// Only its own style: no script, image, frame or form.
const STYLE_HASH = createHash('sha256').update(REFERENCE_STYLE).digest('base64')
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
} as const

const defineRoute = routesOf('Service')

export const REFERENCE_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/openapi.json', {
    name: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1, made from the contract that requests are checked by.',
    access: ANYONE,
    ignoresParameters: true,
    answer: ok('The document.', z.looseObject({ openapi: z.string() })),
    handle: ({ context, services }) =>
      context.body(services.reference.readDocument(), 200, { 'Content-Type': 'application/json' }),
  }),
  defineRoute('GET /v1/reference', {
    name: 'getReference',
    summary: 'This document as a page to read',
    description: 'It runs no script.',
    access: ANYONE,
    ignoresParameters: true,
    answers: { 200: text('The page.', 'text/html') },
    handle: ({ context, services }) =>
      context.body(services.reference.readPage(), 200, PAGE_HEADERS),
  }),
]
