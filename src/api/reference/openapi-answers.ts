// Answers and headers that several paths of the OpenAPI document share. Must stay true: every answer that
// is no success is described by the one error schema.

import type { RouteConfig } from '@hono/zod-openapi'
import type { ZodType } from 'zod'
import { errorBodySchema } from '../contract.ts'
import type { ErrorBody } from '../contract.ts'
import {
  INVALID_PARAMETER_EXAMPLE,
  METHOD_NOT_ALLOWED_EXAMPLE,
  SCOPE_DENIED_EXAMPLE,
  UNAUTHORIZED_EXAMPLE,
} from '../usage/openapi-examples.ts'

export const TOKEN_SECURITY = 'accessToken'
export const NEEDS_TOKEN = [{ [TOKEN_SECURITY]: [] }]
export const SESSION_SECURITY = 'session'
export const NEEDS_SESSION = [{ [SESSION_SECURITY]: [] }]

export interface NamedExample {
  readonly summary: string
  readonly value: object
}

export type Answer = RouteConfig['responses'][string]

/** One example, or several by name. */
export function json(
  description: string,
  schema: ZodType,
  example?: object | { readonly examples: Readonly<Record<string, NamedExample>> },
) {
  const shown = example === undefined || 'examples' in example ? example : { example }
  return { description, content: { 'application/json': { schema, ...shown } } }
}

export function error(
  description: string,
  example?: ErrorBody | { readonly examples: Readonly<Record<string, NamedExample>> },
) {
  return json(description, errorBodySchema, example)
}

/** The body that a path takes. */
export function jsonBody(schema: ZodType, example: object) {
  return { body: { required: true, content: { 'application/json': { schema, example } } } }
}

export const UNEXPECTED = { 500: error('`internal`: Weir failed; its log says why.') }

export const UNAUTHORIZED = {
  401: {
    ...error(
      '`unauthorized`: the token is missing, invalid, expired or revoked.',
      UNAUTHORIZED_EXAMPLE,
    ),
    headers: {
      'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' as const } },
    },
  },
}

export const REFUSED = {
  ...UNAUTHORIZED,
  403: error('`scope_denied`: the token lacks a scope.', SCOPE_DENIED_EXAMPLE),
}

export const INVALID = {
  400: error(
    '`invalid_parameter`: the text names the parameter and what is allowed.',
    INVALID_PARAMETER_EXAMPLE,
  ),
}

export const METHOD_NOT_ALLOWED = {
  405: {
    ...error('`method_not_allowed`: any other method.', METHOD_NOT_ALLOWED_EXAMPLE),
    headers: {
      Allow: { description: 'The methods that are taken.', schema: { type: 'string' as const } },
    },
  },
}
