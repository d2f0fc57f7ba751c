// GET /v1/usage in the OpenAPI document: what it answers, how often it may be asked, and how fresh the
// figures are.

import type { RouteConfig } from '@hono/zod-openapi'
import {
  CATALOGUE,
  REQUESTS_PER_MINUTE_MAX,
  usageEnvelopeSchema,
  usageParametersSchema,
} from '../contract.ts'
import { NEEDS_TOKEN, UNAUTHORIZED, UNEXPECTED, error, json } from '../reference/openapi-answers.ts'
import {
  BREAKDOWN_EXAMPLE,
  INVALID_PARAMETER_EXAMPLE,
  KEYS_SCOPE_DENIED_EXAMPLE,
  PAIRS_EXAMPLE,
  RATE_LIMITED_EXAMPLE,
  SCOPE_DENIED_EXAMPLE,
  SERIES_EXAMPLE,
  TOTAL_EXAMPLE,
  UNKNOWN_TUPLE_EXAMPLE,
} from './openapi-examples.ts'
import { describeRow } from './parse-usage-query.ts'

const DESCRIPTION = `Needs a token with scope read:usage; dimension \`api_key\` needs read:keys besides.

Answered are: ${CATALOGUE.map(describeRow).join('; ')}. Anything else is refused.

Days and months are cut in UTC, by the moment a response ended. A total is one row, 0 when there is nothing. A breakdown has its largest value first, \
ties by label, and at most \`limit\` rows. Breakdowns by \`dim\` and \`dim_model\` hold only calls that carry that dimension; all others hold every call. \
A trend by \`day\` has every day, oldest first, and \`limit\` does not cut it. \`monthly_series\` has every month for the \`limit\` largest providers, by month, then by value.

Equal questions are given the same snapshot for a while, whichever process is asked: 60 seconds for \`today\`, \`last_7_days\` and \`last_30_days\`; \
5 minutes for \`yesterday\`, \`month_to_date\`, \`monthly_series\` and the current month; 1 hour for \`last_month\` and closed months. No snapshot outlives its UTC day. \
\`asOf\` is when it was taken, and \`Cache-Control\` tells how long it still holds.

A token may ask ${REQUESTS_PER_MINUTE_MAX} times a minute, whatever the result; the RateLimit headers tell what is left.`

const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' as const, minimum: 0 },
  example,
})

const RATE_HEADERS = {
  'RateLimit-Limit': integer('How often a token may ask within a minute.', REQUESTS_PER_MINUTE_MAX),
  'RateLimit-Remaining': integer('How often it may still ask.', 42),
  'RateLimit-Reset': integer('Seconds until the oldest question counts no more.', 17),
}

const FIGURES = json('The rows, and when they were read.', usageEnvelopeSchema, {
  examples: {
    total: {
      summary: 'A total: metric=cost_usd&window=month_to_date',
      value: TOTAL_EXAMPLE,
    },
    breakdown: {
      summary: 'A breakdown: metric=cost_usd&window=month_to_date&dimension=model&limit=2',
      value: BREAKDOWN_EXAMPLE,
    },
    dim_model: {
      summary:
        'Pairs: metric=cost_usd&window=month_to_date&dimension=dim_model&dim_key=team&limit=3',
      value: PAIRS_EXAMPLE,
    },
    monthly_series: {
      summary:
        'Month by month: metric=cost_usd&window=monthly_series&dimension=provider&months=2&limit=2',
      value: SERIES_EXAMPLE,
    },
  },
})

const REFUSED_PARAMETERS = error(
  '`invalid_parameter`: the text names the parameter and what is allowed. ' +
    '`unknown_catalog_tuple`: metric, dimension and window do not go together.',
  {
    examples: {
      invalid_parameter: {
        summary: 'A parameter that is wrong, missing, doubled, unknown or no part of the query',
        value: INVALID_PARAMETER_EXAMPLE,
      },
      unknown_catalog_tuple: {
        summary: 'A combination outside the catalogue',
        value: UNKNOWN_TUPLE_EXAMPLE,
      },
    },
  },
)

const REFUSED_SCOPE = error(
  '`scope_denied`: the token lacks read:usage, or read:keys for dimension api_key.',
  {
    examples: {
      usage: { summary: 'The token may not read usage', value: SCOPE_DENIED_EXAMPLE },
      keys: { summary: 'The token may not tell keys apart', value: KEYS_SCOPE_DENIED_EXAMPLE },
    },
  },
)

export const USAGE_ROUTES: readonly RouteConfig[] = [
  {
    method: 'get',
    path: '/v1/usage',
    operationId: 'getUsage',
    tags: ['Usage'],
    summary: 'Cost and usage',
    description: DESCRIPTION,
    security: NEEDS_TOKEN,
    request: { query: usageParametersSchema },
    responses: {
      200: {
        ...FIGURES,
        headers: {
          ...RATE_HEADERS,
          'Cache-Control': {
            description: '`private`, and as `max-age` the seconds for which the snapshot holds.',
            schema: { type: 'string' },
            example: 'private, max-age=297',
          },
        },
      },
      400: { ...REFUSED_PARAMETERS, headers: RATE_HEADERS },
      ...UNAUTHORIZED,
      403: { ...REFUSED_SCOPE, headers: RATE_HEADERS },
      429: {
        ...error(
          '`rate_limited`: the token has asked too often. Wait as long as Retry-After says.',
          RATE_LIMITED_EXAMPLE,
        ),
        headers: {
          ...RATE_HEADERS,
          'Retry-After': integer('Seconds to wait; the next question is then answered.', 17),
        },
      },
      ...UNEXPECTED,
    },
  },
]
