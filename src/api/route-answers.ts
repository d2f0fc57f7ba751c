// Answers as the OpenAPI document describes them. All errors share one schema.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { WeirError } from '../core/weir-error.ts'
import { errorBodySchema } from './error-contract.ts'
import type { ErrorBody } from './error-contract.ts'
import { BODY_BYTES_MAX, parseBody } from './parse-body.ts'

export type Answers = RouteConfig['responses']

export interface NamedExamples {
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: object }>>
}

export function json(description: string, schema: z.ZodType, example?: object | NamedExamples) {
  const shown = example === undefined || 'examples' in example ? example : { example }
  return { description, content: { 'application/json': { schema, ...shown } } }
}

export function error(description: string, example?: ErrorBody | NamedExamples) {
  return json(description, errorBodySchema, example)
}

/** What an id in a path names. */
export interface Noun {
  readonly noun: string
  /** The path that lists them; left out: that of its plural. */
  readonly list?: string
}

/** No `noun` has the id that was given. */
export function notFound({ noun, list = `/v1/${noun}s` }: Noun): WeirError {
  return new WeirError('not_found', `There is no such ${noun}.`, {
    hint: `GET ${list} lists them.`,
  })
}

export function describeNotFound(named: Noun): Answers {
  const { message, hint, code } = notFound(named)
  const example = { error: `${message} ${hint}`, code }
  return { 404: error(`\`not_found\`: there is no such ${named.noun}.`, example as ErrorBody) }
}

export function text(description: string, mediaType: string) {
  return { description, content: { [mediaType]: { schema: z.string() } } }
}

export function header(description: string, type: 'string' | 'integer' = 'string') {
  return { description, schema: { type } }
}

export const UNEXPECTED: Answers = { 500: error('`internal`: Weir failed; its log says why.') }

/** Of routes whose callers are not counted. */
export const TOO_MANY_WAIT: Answers = {
  429: {
    ...error('`rate_limited`: too many questions wait for their answers already.', {
      error: 'Too many questions wait for their answers already. Ask again in 2 s.',
      code: 'rate_limited',
    }),
    headers: { 'Retry-After': header('Seconds to wait before asking again.', 'integer') },
  },
}

export const INVALID_PARAMETER_EXAMPLE: ErrorBody = {
  error: 'Parameter limit must be an integer from 1 to 1000, in digits.',
  code: 'invalid_parameter',
}

export const INVALID: Answers = {
  400: error(
    '`invalid_parameter`: the text names the parameter and what is allowed.',
    INVALID_PARAMETER_EXAMPLE,
  ),
}

/** The example is the answer to an empty body, or to a list where an empty body is allowed. */
export function bodyFaults(schema: z.ZodObject, bytesMax = BODY_BYTES_MAX): Answers {
  const refused = schema.safeParse({}).success ? '[]' : '{}'
  return {
    400: error(
      '`invalid_parameter`: the text names every member that is wrong and what is allowed.',
      { error: refusalOf(refused, schema), code: 'invalid_parameter' },
    ),
    413: error(`\`body_too_large\`: more than ${bytesMax / 1024} KiB.`),
  }
}

function refusalOf(body: string, schema: z.ZodObject): string {
  try {
    parseBody(body, schema)
  } catch (refusal) {
    if (refusal instanceof WeirError) return refusal.message
    throw refusal
  }
  return ''
}

export const METHOD_NOT_ALLOWED: Answers = {
  405: {
    ...error('`method_not_allowed`: any other method.', {
      error: 'This path takes GET, HEAD only.',
      code: 'method_not_allowed',
    }),
    headers: { Allow: header('The methods that are taken.') },
  },
}
