// The contract for single calls, seen through contract.ts with that of their filters. It is only
// ever added to.

import { z } from 'zod'
import { named } from '../parameter-schemas.ts'
import { priceDifferenceSchema } from '../prices/rate-contract.ts'
import {
  CALL_STATUSES,
  COST_SOURCES,
  explain,
  KNOWLEDGE,
  KNOWLEDGE_MEANINGS,
  SOURCE_MEANINGS,
  STATUS_ABOUT,
} from './request-filter-contract.ts'

export * from './request-filter-contract.ts'

export const REQUEST_ID_EXAMPLE = '019cf1a0-7c1e-7a3b-9d2f-4b6a8c0e1f23'
const MODEL = { example: 'large-2026-01-15' }

const time = (description: string) => z.iso.datetime().meta({ description })
const tokens = (description: string) => z.int().nullable().meta({ description })
const usd = (description: string) =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .meta({ description, example: '0.00738' })

export const requestRowSchema = named('RequestRow', {
  id: z
    .string()
    .describe('As X-SVC-Request-Id said to the caller; a UUIDv7.')
    .meta({ example: REQUEST_ID_EXAMPLE }),
  started_at: time('When the request arrived, UTC.'),
  first_byte_at: time("When the provider's answer began.").nullable(),
  ended_at: time('When the response ended; days and months are cut by it.'),
  duration_ms: z.int().describe('From start to end, never below 0.'),
  own_ms: z
    .number()
    .nullable()
    .describe(
      "Weir's own share of it before the request went on, to a thousandth; null where that is not known.",
    ),
  api_key: z
    .string()
    .nullable()
    .describe('The id of the key; null where it could not be determined.')
    .meta({ example: 'svc_k_4f1d2c3b4a596877' }),
  provider: z.string().meta({ example: 'some-provider' }),
  operation: z
    .string()
    .nullable()
    .describe("Which of the provider's operations; null where none is known.")
    .meta({ example: 'chat' }),
  requested_model: z.string().nullable().meta({ example: 'large' }),
  model: z
    .string()
    .nullable()
    .describe('The model that ran; of a call that did not, the one that was asked for.')
    .meta(MODEL),
  status: z.enum(CALL_STATUSES).describe(`${STATUS_ABOUT}.`),
  http_status: z
    .int()
    .nullable()
    .describe('What the caller got, of the provider or, where a call was denied, of Weir.'),
  error_code: z.string().nullable().describe("Weir's own code, where Weir answered or broke off."),
  streamed: z.boolean(),
  request_bytes: z.int(),
  response_bytes: z.int(),
  usage: z.enum(KNOWLEDGE).describe(`${explain(KNOWLEDGE_MEANINGS)}.`),
  input_tokens: tokens('All input tokens. Tokens are null where nothing is known of them.'),
  output_tokens: tokens('All output tokens.'),
  cache_read_tokens: tokens('A part of the input tokens, as are the next four.'),
  cache_write_5m_tokens: tokens('Written to a cache for five minutes.'),
  cache_write_1h_tokens: tokens('Written to a cache for an hour.'),
  input_audio_tokens: tokens('Sound.'),
  input_image_tokens: tokens('Images.'),
  reasoning_tokens: tokens('A part of the output tokens, as are the next two.'),
  output_audio_tokens: tokens('Sound.'),
  output_image_tokens: tokens('Images.'),
  cache_read_audio_tokens: tokens('A part of the cached reads, as is the next: sound.'),
  cache_read_image_tokens: tokens('Images.'),
  tool_calls: z
    .record(z.string(), z.int())
    .describe('What is billed per unit, by kind: { "web_search": 2 }.')
    .meta({ example: { web_search: 2 } }),
  service_tier: z.string().nullable(),
  cost_usd: usd('Exact. Null when it is not known, which is not zero.').nullable(),
  market_cost_usd: usd('The list-price value, where the provider stated it.').nullable(),
  is_byok: z
    .boolean()
    .nullable()
    .describe("Whether the caller's own provider key served it, where that was stated."),
  generation_id: z.string().nullable(),
  source: z.enum(COST_SOURCES).describe(`Where the cost came from. ${explain(SOURCE_MEANINGS)}.`),
  price_version: z.string().nullable().describe('Which price produced the cost.'),
  dims: z.record(z.string(), z.string()).meta({ example: { team: 'search', env: 'prod' } }),
  violation: z
    .string()
    .nullable()
    .describe("The model that ran although the key's policy does not allow it."),
  region: z
    .string()
    .nullable()
    .describe('Where the provider processed it: "us-east5", "eu", "global". Null: nothing says it.')
    .meta({ example: 'eu' }),
  provider_error: z
    .string()
    .nullable()
    .describe("The provider's own code or type of its error, never its text. Null: none was read.")
    .meta({ example: 'rate_limit_exceeded' }),
})

export const requestPageSchema = named('RequestPage', {
  rows: z
    .array(requestRowSchema)
    .describe(
      'Newest first unless sort says otherwise. There may be fewer than limit, even none, and still a next page.',
    ),
  next_cursor: z
    .string()
    .nullable()
    .describe('To be sent as cursor for the next page; null on the last.'),
})

export const requestSummarySchema = named('RequestSummary', {
  as_of: time('When they were counted, UTC.'),
  calls: z.int().describe('How many calls are on record that match, denied ones included.'),
  requests: z
    .int()
    .describe(
      'Of these, the calls that were forwarded: the requests of /v1/usage and /v1/analysis.',
    ),
  denied: z.int().describe('Of these, the calls that Weir denied, which are in no other figure.'),
  unpriced: z.int().describe('Of the requests, those whose cost is not known.'),
  cost_usd: usd('What the others cost together, exact.'),
  is_complete: z
    .boolean()
    .describe(
      'False where there are too many calls to look at all of them: the figures are of the newest, and there may be more.',
    ),
})

export const explanationSchema = named('Explanation', {
  lines: z.array(
    z.object({
      model: z.string().nullable().meta(MODEL),
      unit: z.string().meta({ example: 'output' }),
      count: z.int(),
      rate_usd: usd('The price of one unit, exact.'),
      cost_usd: usd('count × rate_usd, exact.'),
      price_version: z.string(),
    }),
  ),
  total_usd: usd(
    'What was recorded: the sum of the lines, rounded half-even to 1e-12 once. Null: not known.',
  ).nullable(),
  text: z
    .string()
    .describe('Where the cost comes from, in a sentence or two.')
    .meta({ example: 'The cost was computed from list prices.' }),
  differs: z
    .array(z.object({ model: z.string().meta(MODEL), ...priceDifferenceSchema.shape }))
    .describe(
      'Where the sources of the prices above differ; empty where they agree, or where prices of today are others.',
    ),
})

export const costTodaySchema = named('CostToday', {
  cost_usd: usd('Exact. Null when it is not known.').nullable(),
  source: z.enum(COST_SOURCES),
  price_version: z.string().nullable(),
  is_same: z
    .boolean()
    .describe('Whether it is what was recorded; weir reprice changes the record.'),
})

export const requestDetailSchema = named('RequestDetail', {
  ...requestRowSchema.shape,
  explanation: explanationSchema,
  today: costTodaySchema.describe("What the call costs by today's prices."),
})

export const nodeCompletenessSchema = named('NodeCompleteness', {
  id: z.string(),
  host: z
    .string()
    .nullable()
    .describe('Null for a node that is no longer listed.')
    .meta({ example: 'proxy-1' }),
  role: z
    .enum(['proxy', 'api', 'all'])
    .nullable()
    .describe('What the node runs; null for a node that is no longer listed.'),
  forwarded: z.int().describe('Calls that this node forwarded; the next four add up to it.'),
  recorded: z.int(),
  pending: z.int(),
  dead: z.int(),
  lost: z.int(),
  last_seen_at: z.iso
    .datetime()
    .nullable()
    .describe('The last heartbeat, by the time of the database.'),
  silent: z
    .boolean()
    .describe(
      'True when no heartbeat came for 5 seconds, or its ledger does not answer: figures may miss calls of this node.',
    ),
})

export const completenessSchema = named('Completeness', {
  as_of: time('When it was counted, UTC; of several nodes, the oldest count of one that answers.'),
  forwarded: z.int().describe('Calls that were forwarded, over all times.'),
  recorded: z.int().describe('Of these, the calls that are on record.'),
  pending: z.int().describe('Of these, the calls that run or wait in a journal.'),
  dead: z
    .int()
    .describe('Of these, the calls that were put aside; weir journal replay puts them back.'),
  lost: z.int().describe('Of these, the calls that are unaccounted for.'),
  is_complete: z
    .boolean()
    .describe(
      'True when every call that was forwarded until as_of is on record, and no node is silent.',
    ),
  nodes: z
    .array(nodeCompletenessSchema)
    .describe('The same for each node that has forwarded calls or may do so; empty on SQLite.'),
})

export type RequestRow = z.infer<typeof requestRowSchema>
export type RequestPageAnswer = z.infer<typeof requestPageSchema>
export type RequestSummaryAnswer = z.infer<typeof requestSummarySchema>
export type ExplanationAnswer = z.infer<typeof explanationSchema>
export type CostTodayAnswer = z.infer<typeof costTodaySchema>
export type RequestDetail = z.infer<typeof requestDetailSchema>
export type CompletenessAnswer = z.infer<typeof completenessSchema>
