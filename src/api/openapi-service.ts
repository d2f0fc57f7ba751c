// What Weir tells about itself, in the OpenAPI document: set-up, health, and the document's own two forms.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  healthSchema,
  serviceInfoSchema,
  setupAnswerSchema,
  setupRequestSchema,
  unreadySchema,
} from './contract.ts'
import { UNEXPECTED, error, json } from './openapi-answers.ts'

export const SERVICE_ROUTES: readonly RouteConfig[] = [
  {
    method: 'get',
    path: '/v1/info',
    operationId: 'getInfo',
    tags: ['Service'],
    summary: 'What this Weir is and where its proxy listens',
    description: 'Needs no token.',
    responses: { 200: json('About this Weir.', serviceInfoSchema), ...UNEXPECTED },
  },
  {
    method: 'get',
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    tags: ['Service'],
    summary: 'This document',
    description:
      'OpenAPI 3.1, made from the contract that requests are checked by. Needs no token.',
    responses: {
      200: json('The document.', z.looseObject({ openapi: z.string() })),
      ...UNEXPECTED,
    },
  },
  {
    method: 'get',
    path: '/v1/reference',
    operationId: 'getReference',
    tags: ['Service'],
    summary: 'This document as a page to read',
    description: 'Needs no token and runs no script.',
    responses: {
      200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } },
      ...UNEXPECTED,
    },
  },
  {
    method: 'post',
    path: '/v1/setup',
    operationId: 'setUp',
    tags: ['Service'],
    summary: 'Make the first administrator, once',
    description:
      'Takes the one-time code that Weir prints on its very first start. Whoever lost it makes a token on the machine itself.',
    request: {
      body: {
        required: true,
        content: {
          'application/json': { schema: setupRequestSchema, example: { code: 'as-in-the-link' } },
        },
      },
    },
    responses: {
      201: json("The administrator's token.", setupAnswerSchema),
      400: error('`invalid_parameter`: the body is not `{ "code": … }`.'),
      401: error('`unauthorized`: the code is wrong or was spent.'),
      413: error('`body_too_large`.'),
      ...UNEXPECTED,
    },
  },
  {
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    tags: ['Service'],
    summary: 'Alive',
    description: 'Needs no token.',
    responses: { 200: json('The process answers.', healthSchema) },
  },
  {
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    tags: ['Service'],
    summary: 'Ready to work',
    description: 'Needs no token.',
    responses: { 200: json('Ready.', healthSchema), 503: json('Not ready.', unreadySchema) },
  },
  {
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    tags: ['Service'],
    summary: 'Metrics for Prometheus',
    description: 'Needs no token.',
    responses: {
      200: { description: 'Text format 0.0.4.', content: { 'text/plain': { schema: z.string() } } },
    },
  },
]
