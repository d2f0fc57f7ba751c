// All that outsiders see of the API: the catalogue of questions, the parameters, the answers and the
// errors. Validation, the OpenAPI document, the console's types and the command line derive from it.
// Must stay true: a name or a shape in this file is never changed, only added to.

import { z } from 'zod'
import type { WeirErrorCode } from '../core/weir-error.ts'
import { DIMENSIONS, METRICS, WINDOWS } from './usage/catalogue.ts'
import { dimKeyParameter, integer, keyIdParameter, oneOf } from './parameter-schemas.ts'

export * from './accounts/account-contract.ts'
export * from './budgets/alert-contract.ts'
export * from './budgets/budget-contract.ts'
export * from './exports/export-contract.ts'
export * from './keys/key-contract.ts'
export { toKeyAnswer, toTokenAnswer } from './keys/key-row.ts'
export * from './prices/price-contract.ts'
export * from './requests/request-contract.ts'
export * from './service/service-contract.ts'
export * from './usage/catalogue.ts'

/** Of GET /v1/usage and of the questions asked by /mcp together, a token. */
export const REQUESTS_PER_MINUTE_MAX = 60

export const LIMIT_MAX = 1000
export const LIMIT_DEFAULT = 5
export const MONTHS_MAX = 24
export const MONTHS_DEFAULT = 12

/** Each parameter by itself; which of them belong together is told in parse-usage-query.ts. */
export const usageParametersSchema = z.strictObject({
  metric: z
    .enum(METRICS, { error: oneOf('metric', METRICS) })
    .meta({ description: 'What is measured.' }),
  window: z
    .enum(WINDOWS, { error: oneOf('window', WINDOWS) })
    .meta({ description: 'The time it is measured over. Days and months are cut in UTC.' }),
  dimension: z
    .enum(DIMENSIONS, { error: oneOf('dimension', DIMENSIONS) })
    .optional()
    .meta({ description: 'What the rows are grouped by. Left out: one row, the total.' }),
  dim_key: dimKeyParameter.meta({
    description: 'Which dimension to break down by. With dimension dim and dim_model only.',
  }),
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, { error: 'month must be a calendar month as YYYY-MM' })
    .optional()
    .meta({ description: 'Not after the current month. With window month only.' }),
  months: integer('months', { max: MONTHS_MAX, preset: MONTHS_DEFAULT }).meta({
    description: 'How many months, the current one included. With window monthly_series only.',
  }),
  limit: integer('limit', { max: LIMIT_MAX, preset: LIMIT_DEFAULT }).meta({
    description: 'The most rows of a breakdown, largest value first. A total is always one row.',
  }),
  api_key: keyIdParameter.meta({
    description: 'Only the calls of this key. With metric cost_usd only.',
  }),
})

export const usageRowSchema = z
  .object({
    label: z.string().meta({ description: 'The group; total for a single number.' }),
    value: z.number().meta({ description: 'USD for cost_usd; a count for requests and tokens.' }),
    bucket: z
      .string()
      .nullable()
      .meta({ description: 'YYYY-MM-01 on rows of monthly_series, else null.' }),
    model: z.string().nullable().meta({ description: 'On rows of dim_model, else null.' }),
    requests: z.int().nullable().meta({ description: 'On rows of dim_model, else null.' }),
    tokens: z.int().nullable().meta({ description: 'On rows of dim_model, else null.' }),
  })
  .meta({ id: 'UsageRow' })

export const usageEnvelopeSchema = z
  .object({
    asOf: z.iso.datetime().meta({ description: 'The moment the figures were read, UTC.' }),
    rows: z.array(usageRowSchema),
  })
  .meta({ id: 'UsageEnvelope' })

export const API_ERROR_CODES = [
  'unauthorized',
  'rate_limited',
  'scope_denied',
  'invalid_parameter',
  'unknown_catalog_tuple',
  'bad_request',
  'body_too_large',
  'not_found',
  'method_not_allowed',
  'conflict',
  'sign_in_refused',
  'cross_site',
  'internal',
] as const satisfies readonly WeirErrorCode[]

export const errorBodySchema = z
  .object({
    error: z.string().meta({ description: 'What is wrong and what would be right.' }),
    code: z.enum(API_ERROR_CODES),
  })
  .meta({ id: 'Error' })

export const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

export const unreadySchema = z
  .object({ status: z.literal('unready'), reason: z.string() })
  .meta({ id: 'Unready' })

export const serviceInfoSchema = z
  .object({
    version: z.string(),
    proxy_url: z
      .string()
      .meta({ description: 'Where the proxy listens, without a slash at the end.' }),
    providers: z.array(z.string()).meta({ description: 'What may follow /v1/ on the proxy.' }),
  })
  .meta({ id: 'ServiceInfo' })

export type UsageRow = z.infer<typeof usageRowSchema>
export type UsageEnvelope = z.infer<typeof usageEnvelopeSchema>
export type ApiErrorCode = (typeof API_ERROR_CODES)[number]
export type ErrorBody = z.infer<typeof errorBodySchema>
export type ServiceInfo = z.infer<typeof serviceInfoSchema>
