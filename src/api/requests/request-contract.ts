// The contract for single calls, seen through contract.ts with that of their filters. It is only
// ever added to.

import { z } from 'zod'
import { boolean, count, number, string, time } from '../answer-members.ts'
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

const usd = (description: string) =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .meta({ description, example: '0.00738' })

export const requestRowSchema = named('RequestRow', {
  id: string('As X-SVC-Request-Id said to the caller; a UUIDv7.', REQUEST_ID_EXAMPLE),
  started_at: time('When the request arrived, UTC.'),
  first_byte_at: time.orNull("When the provider's answer began."),
  ended_at: time('When the response ended; days and months are cut by it.'),
  duration_ms: count('From start to end, never below 0.'),
  own_ms: number.orNull(
    "Weir's own share of it before the request went on, to a thousandth; null where that is not known.",
  ),
  api_key: string.orNull(
    'The id of the key; null where it could not be determined.',
    'svc_k_4f1d2c3b4a596877',
  ),
  provider: z.string().meta({ example: 'some-provider' }),
  operation: string.orNull("Which of the provider's operations; null where none is known.", 'chat'),
  requested_model: z.string().nullable().meta({ example: 'large' }),
  model: string.orNull(
    'The model that ran; of a call that did not, the one that was asked for.',
    MODEL.example,
  ),
  status: z.enum(CALL_STATUSES).describe(`${STATUS_ABOUT}.`),
  http_status: count.orNull(
    'What the caller got, of the provider or, where a call was denied, of Weir.',
  ),
  error_code: string.orNull("Weir's own code, where Weir answered or broke off."),
  streamed: z.boolean(),
  request_bytes: z.int(),
  response_bytes: z.int(),
  usage: z.enum(KNOWLEDGE).describe(`${explain(KNOWLEDGE_MEANINGS)}.`),
  input_tokens: count.orNull('All input tokens. Tokens are null where nothing is known of them.'),
  output_tokens: count.orNull('All output tokens.'),
  cache_read_tokens: count.orNull('A part of the input tokens, as are the next four.'),
  cache_write_5m_tokens: count.orNull('Written to a cache for five minutes.'),
  cache_write_1h_tokens: count.orNull('Written to a cache for an hour.'),
  input_audio_tokens: count.orNull('Sound.'),
  input_image_tokens: count.orNull('Images.'),
  reasoning_tokens: count.orNull('A part of the output tokens, as are the next two.'),
  output_audio_tokens: count.orNull('Sound.'),
  output_image_tokens: count.orNull('Images.'),
  cache_read_audio_tokens: count.orNull('A part of the cached reads, as is the next: sound.'),
  cache_read_image_tokens: count.orNull('Images.'),
  tool_calls: z
    .record(z.string(), z.int())
    .describe('What is billed per unit, by kind: { "web_search": 2 }.')
    .meta({ example: { web_search: 2 } }),
  service_tier: string.orNull(),
  cost_usd: usd('Exact. Null when it is not known, which is not zero.').nullable(),
  market_cost_usd: usd('The list-price value, where the provider stated it.').nullable(),
  is_byok: boolean.orNull(
    "Whether the caller's own provider key served it, where that was stated.",
  ),
  generation_id: string.orNull(),
  source: z.enum(COST_SOURCES).describe(`Where the cost came from. ${explain(SOURCE_MEANINGS)}.`),
  price_version: string.orNull('Which price produced the cost.'),
  dims: z.record(z.string(), z.string()).meta({ example: { team: 'search', env: 'prod' } }),
  violation: string.orNull("The model that ran although the key's policy does not allow it."),
  region: string.orNull(
    'Where the provider processed it: "us-east5", "eu", "global". Null: nothing says it.',
    'eu',
  ),
  provider_error: string.orNull(
    "The provider's own code or type of its error, never its text. Null: none was read.",
    'rate_limit_exceeded',
  ),
  team_id: string.orNull('The team that it is booked to: that of its key at the time.'),
  team: string.orNull('The name of that team, as it is now.', 'Search'),
  person_id: string.orNull('The person whose key it was; null for a service’s.'),
  person: string.orNull('Their address; without scope read:keys, their id.', 'ada@example.com'),
  tool: string.orNull(
    'The coding agent that made the call. This and the next are what it says of itself, which is the word of the caller; null where it says nothing.',
    'claude-code',
  ),
  tool_version: string.orNull(
    'The whole of it; groups and filters are by its first number.',
    '2.1.197',
  ),
  session: string.orNull('Which session of that key, as the tool names it.'),
  agent: string.orNull('Which subagent of the session; null for the main one.'),
  parent_agent: string.orNull('The agent that started it.'),
  device: string.orNull('Which machine.'),
  account: string.orNull('Which account of the tool.'),
  repository: string.orNull('Where the work was done, as its git remote says.'),
  retry: count.orNull('How often the same request had been sent before.'),
})

export const requestPageSchema = named('RequestPage', {
  rows: z
    .array(requestRowSchema)
    .describe(
      'Newest first unless sort says otherwise. There may be fewer than limit, even none, and still a next page.',
    ),
  next_cursor: string.orNull('To be sent as cursor for the next page; null on the last.'),
})

export const requestSummarySchema = named('RequestSummary', {
  as_of: time('When they were counted, UTC.'),
  calls: count('How many calls are on record that match, denied ones included.'),
  requests: count(
    'Of these, the calls that were forwarded: the requests of /v1/usage and /v1/analysis.',
  ),
  denied: count('Of these, the calls that Weir denied, which are in no other figure.'),
  unpriced: count('Of the requests, those whose cost is not known.'),
  cost_usd: usd('What the others cost together, exact.'),
  is_complete: boolean(
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
  text: string(
    'Where the cost comes from, in a sentence or two.',
    'The cost was computed from list prices.',
  ),
  differs: z
    .array(z.object({ model: z.string().meta(MODEL), ...priceDifferenceSchema.shape }))
    .describe(
      'Where the sources of the prices above differ; empty where they agree, or where prices of today are others.',
    ),
})

export const costTodaySchema = named('CostToday', {
  cost_usd: usd('Exact. Null when it is not known.').nullable(),
  source: z.enum(COST_SOURCES),
  price_version: string.orNull(),
  is_same: boolean('Whether it is what was recorded; weir reprice changes the record.'),
})

export const requestDetailSchema = named('RequestDetail', {
  ...requestRowSchema.shape,
  explanation: explanationSchema,
  today: costTodaySchema.describe("What the call costs by today's prices."),
})

export const nodeCompletenessSchema = named('NodeCompleteness', {
  id: z.string(),
  host: string.orNull('Null for a node that is no longer listed.', 'proxy-1'),
  role: z
    .enum(['proxy', 'api', 'all'])
    .nullable()
    .describe('What the node runs; null for a node that is no longer listed.'),
  forwarded: count('Calls that this node forwarded; the next four add up to it.'),
  recorded: z.int(),
  pending: z.int(),
  dead: z.int(),
  lost: z.int(),
  last_seen_at: time.orNull('The last heartbeat, by the time of the database.'),
  silent: boolean(
    'True when no heartbeat came for 5 seconds, or its ledger does not answer: figures may miss calls of this node.',
  ),
})

export const completenessSchema = named('Completeness', {
  as_of: time('When it was counted, UTC; of several nodes, the oldest count of one that answers.'),
  forwarded: count('Calls that were forwarded, over all times.'),
  recorded: count('Of these, the calls that are on record.'),
  pending: count('Of these, the calls that run or wait in a journal.'),
  dead: count('Of these, the calls that were put aside; weir journal replay puts them back.'),
  lost: count('Of these, the calls that are unaccounted for.'),
  is_complete: boolean(
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
