// The OpenAPI document, for machines and as a page.

import { z } from 'zod'
import { ANYONE } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { text } from '../route-answers.ts'
import { answerReference } from '../service/console-files.ts'

const defineRoute = routesOf('Service')

export const REFERENCE_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/openapi.json', {
    name: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1, made from the contract that requests are checked by.',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answer: ok('The document.', z.looseObject({ openapi: z.string() })),
    handle: ({ context, services }) =>
      context.body(services.readDocument(), 200, { 'Content-Type': 'application/json' }),
  }),
  defineRoute('GET /v1/reference', {
    name: 'getReference',
    summary: 'This document as a page to read',
    description: 'A file of the console, as are its script and styles. It sends nothing.',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answers: {
      200: {
        description: 'The page; where the console is not built, how to build it.',
        content: { ...text('', 'text/html').content, ...text('', 'text/plain').content },
      },
    },
    handle: ({ context, services }) => answerReference(context, services.consoleDir),
  }),
]
