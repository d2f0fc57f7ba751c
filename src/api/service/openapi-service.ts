// What Weir tells about itself, in the OpenAPI document: how it does, health, and the document's own two forms.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  healthSchema,
  overviewSchema,
  serviceInfoSchema,
  serviceSchema,
  unreadySchema,
} from '../contract.ts'
import { INVALID, json, NEEDS_TOKEN, REFUSED, UNEXPECTED } from '../reference/openapi-answers.ts'
import { OVERVIEW_EXAMPLE, SERVICE_EXAMPLE } from './openapi-service-examples.ts'

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
    method: 'get',
    path: '/v1/overview',
    operationId: 'getOverview',
    tags: ['Service'],
    summary: 'What stands beside the figures on the first page of the console',
    description:
      'Needs a token with scope read:usage. A snapshot: for a minute, and never past the end of the UTC day, the answer is the same.',
    security: NEEDS_TOKEN,
    responses: {
      200: json('This month and the last.', overviewSchema, OVERVIEW_EXAMPLE),
      ...INVALID,
      ...REFUSED,
      ...UNEXPECTED,
    },
  },
  {
    method: 'get',
    path: '/v1/service',
    operationId: 'getService',
    tags: ['Service'],
    summary: 'How this Weir does: providers, data, prices',
    description:
      'Needs a token with scope read:usage. With scope admin the whole path of the data directory is told, else its last part. Providers and sizes may be ten seconds old.',
    security: NEEDS_TOKEN,
    responses: {
      200: json('The state of things.', serviceSchema, SERVICE_EXAMPLE),
      ...INVALID,
      ...REFUSED,
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
