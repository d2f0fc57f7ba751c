// The OpenAPI 3.1 document, generated from the same contract that the routes answer by.

import { OpenAPIHono } from '@hono/zod-openapi'
import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import type { ZodType } from 'zod'
import {
  CATALOGUE,
  completenessSchema,
  errorBodySchema,
  healthSchema,
  requestDetailSchema,
  requestPageSchema,
  requestParametersSchema,
  serviceInfoSchema,
  setupAnswerSchema,
  setupRequestSchema,
  unreadySchema,
  usageEnvelopeSchema,
  usageParametersSchema,
} from './contract.ts'
import {
  COMPLETENESS_EXAMPLE,
  INVALID_PARAMETER_EXAMPLE,
  REQUEST_DETAIL_EXAMPLE,
  REQUEST_PAGE_EXAMPLE,
} from './openapi-examples.ts'
import { describeRow } from './parse-usage-query.ts'

const TOKEN_SECURITY = 'accessToken'

const json = (description: string, schema: ZodType, example?: object) => ({
  description,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
})

const error = (description: string, example?: object) => json(description, errorBodySchema, example)

const UNEXPECTED = { 500: error('`internal`: Weir failed; its log says why.') }

const REFUSED = {
  401: error('`unauthorized`: the token is missing, invalid, expired or revoked.'),
  403: error('`scope_denied`: the token lacks a scope.'),
}

const INVALID = { 400: error('`invalid_parameter`.', INVALID_PARAMETER_EXAMPLE) }

const REQUEST_ROUTES: readonly RouteConfig[] = [
  {
    method: 'get',
    path: '/v1/requests',
    summary: 'The request log, newest first',
    description:
      'Needs a token with scope read:requests. Pages follow each other by next_cursor until it is null. ' +
      'A page may hold fewer rows than limit, even none, and still have a next one: only so many calls ' +
      'are looked at for each.',
    security: [{ [TOKEN_SECURITY]: [] }],
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
    summary: 'One call and how its cost came about',
    description: 'Needs a token with scope read:requests.',
    security: [{ [TOKEN_SECURITY]: [] }],
    request: {
      params: z.object({
        id: z.string().meta({ description: 'As the caller was told in X-SVC-Request-Id.' }),
      }),
    },
    responses: {
      200: json('The call.', requestDetailSchema, REQUEST_DETAIL_EXAMPLE),
      ...INVALID,
      ...REFUSED,
      404: error('`not_found`: there is no record of such a request.'),
      ...UNEXPECTED,
    },
  },
  {
    method: 'get',
    path: '/v1/completeness',
    summary: 'Whether every call that was forwarded is on record',
    description: 'Needs a token with scope read:usage.',
    security: [{ [TOKEN_SECURITY]: [] }],
    responses: {
      200: json('The figures over all times.', completenessSchema, COMPLETENESS_EXAMPLE),
      ...INVALID,
      ...REFUSED,
      ...UNEXPECTED,
    },
  },
]

const ROUTES: readonly RouteConfig[] = [
  {
    method: 'get',
    path: '/v1/usage',
    summary: 'Cost and usage',
    description: `Needs a token with scope read:usage. Answered are: ${CATALOGUE.filter(
      (row) => row.isServed,
    )
      .map(describeRow)
      .join('; ')}.`,
    security: [{ [TOKEN_SECURITY]: [] }],
    request: { query: usageParametersSchema },
    responses: {
      200: json('The rows, largest value first.', usageEnvelopeSchema),
      400: error('`invalid_parameter` or `unknown_catalog_tuple`.'),
      ...REFUSED,
      ...UNEXPECTED,
    },
  },
  ...REQUEST_ROUTES,
  {
    method: 'get',
    path: '/v1/info',
    summary: 'What this Weir is and where its proxy listens',
    responses: { 200: json('About this Weir.', serviceInfoSchema), ...UNEXPECTED },
  },
  {
    method: 'post',
    path: '/v1/setup',
    summary: 'Make the first administrator, once',
    request: {
      body: { required: true, content: { 'application/json': { schema: setupRequestSchema } } },
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
    summary: 'Alive',
    responses: { 200: json('The process answers.', healthSchema) },
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'Ready to work',
    responses: { 200: json('Ready.', healthSchema), 503: json('Not ready.', unreadySchema) },
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    responses: { 200: { description: 'Text format 0.0.4.', content: { 'text/plain': {} } } },
  },
]

export function createOpenApiDocument(version: string): object {
  const documented = new OpenAPIHono()
  documented.openAPIRegistry.registerComponent('securitySchemes', TOKEN_SECURITY, {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, svc_agt_….',
  })
  for (const route of ROUTES) documented.openAPIRegistry.registerPath(route)
  return documented.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Weir', version, description: 'Who spent what on AI providers.' },
  })
}
