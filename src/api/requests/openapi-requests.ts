// The request log, one call and completeness in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  completenessSchema,
  requestDetailSchema,
  requestPageSchema,
  requestParametersSchema,
} from '../contract.ts'
import {
  INVALID,
  NEEDS_TOKEN,
  REFUSED,
  UNEXPECTED,
  error,
  json,
} from '../reference/openapi-answers.ts'
import {
  COMPLETENESS_EXAMPLE,
  NO_RECORD_EXAMPLE,
  REQUEST_DETAIL_EXAMPLE,
  REQUEST_PAGE_EXAMPLE,
} from '../usage/openapi-examples.ts'

export const REQUEST_ROUTES: readonly RouteConfig[] = [
  {
    method: 'get',
    path: '/v1/requests',
    operationId: 'listRequests',
    tags: ['Requests'],
    summary: 'The request log, newest first',
    description:
      'Needs a token with scope read:requests. Pages follow each other by next_cursor until it is null. ' +
      'A page may hold fewer rows than limit, even none, and still have a next one: only so many calls ' +
      'are looked at for each.',
    security: NEEDS_TOKEN,
    request: { query: requestParametersSchema },
    responses: {
      200: json('A page of calls.', requestPageSchema, REQUEST_PAGE_EXAMPLE),
      ...INVALID,
      ...REFUSED,
      ...UNEXPECTED,
    },
  },
  {
    method: 'get',
    path: '/v1/requests/{id}',
    operationId: 'getRequest',
    tags: ['Requests'],
    summary: 'One call and how its cost came about',
    description:
      'Needs a token with scope read:requests. The cost is explained by the rates that were stored with the call.',
    security: NEEDS_TOKEN,
    request: {
      params: z.object({
        id: z.string().meta({
          description: 'As the caller was told in X-SVC-Request-Id.',
          example: REQUEST_DETAIL_EXAMPLE.id,
        }),
      }),
    },
    responses: {
      200: json('The call.', requestDetailSchema, REQUEST_DETAIL_EXAMPLE),
      ...INVALID,
      ...REFUSED,
      404: error('`not_found`: there is no record of such a request.', NO_RECORD_EXAMPLE),
      ...UNEXPECTED,
    },
  },
  {
    method: 'get',
    path: '/v1/completeness',
    operationId: 'getCompleteness',
    tags: ['Requests'],
    summary: 'Whether every call that was forwarded is on record',
    description:
      'Needs a token with scope read:usage. While there is traffic, some calls are always pending; lost is to be 0 always.',
    security: NEEDS_TOKEN,
    responses: {
      200: json('The figures over all times.', completenessSchema, COMPLETENESS_EXAMPLE),
      ...INVALID,
      ...REFUSED,
      ...UNEXPECTED,
    },
  },
]
