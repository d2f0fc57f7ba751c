// The OpenAPI 3.1 document, generated from the same contract that the routes answer by.

import { OpenAPIHono } from '@hono/zod-openapi'
import type { RouteConfig } from '@hono/zod-openapi'
import type { ZodType } from 'zod'
import {
  CATALOGUE,
  errorBodySchema,
  healthSchema,
  serviceInfoSchema,
  setupAnswerSchema,
  setupRequestSchema,
  unreadySchema,
  usageEnvelopeSchema,
  usageParametersSchema,
} from './contract.ts'
import { describeRow } from './parse-usage-query.ts'

const TOKEN_SECURITY = 'accessToken'

const json = (description: string, schema: ZodType) => ({
  description,
  content: { 'application/json': { schema } },
})

const error = (description: string) => json(description, errorBodySchema)

const UNEXPECTED = { 500: error('`internal`: Weir failed; its log says why.') }

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
      401: error('`unauthorized`: the token is missing, invalid, expired or revoked.'),
      403: error('`scope_denied`: the token lacks a scope.'),
      ...UNEXPECTED,
    },
  },
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
