// The contract for analysis, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { DIM_KEY } from '../../core/dims.ts'
import {
  ANALYSIS_INTERVALS,
  ANALYSIS_SUMS_MAX,
  CAPPED_KEYS_MAX,
} from '../../store/usage/analysis.ts'
import { boolean, count, number, string, time } from '../answer-members.ts'
import {
  FILTER_VALUES_MAX,
  flag,
  integer,
  moment,
  named,
  oneOf,
  several,
  text,
} from '../parameter-schemas.ts'
import { ANALYSIS_ORDERS, NAMED_FIELDS } from './analysis-orders.ts'
import type { AskedField } from './analysis-orders.ts'

export const GROUP_BY_MAX = 2
export const ANALYSIS_LIMIT_MAX = 1000
export const ANALYSIS_LIMIT_DEFAULT = 100
/** Fields with an operator. */
export const FILTERS_MAX = 20
const SEARCH_CHARS_MAX = 256

const HOUR_MS = 3_600_000

/** `provider`, `dim:team`. */
const FIELD = new RegExp(`^(?:${NAMED_FIELDS.join('|')}|dim:${DIM_KEY.source.slice(1, -1)})$`)
const FIELD_WORDS = `${NAMED_FIELDS.join(', ')} or dim:KEY with the key of a dimension`

function wholeHour(name: string) {
  return moment(name).refine(
    (ms) => ms === undefined || ms % HOUR_MS === 0,
    `${name} must be a date or a whole hour in UTC: YYYY-MM-DD or YYYY-MM-DDThh:00Z`,
  )
}

export const analysisFieldSchema = z
  .string()
  .regex(FIELD, `group_by must be one of ${FIELD_WORDS}`)
  .transform((field) => field as AskedField)

/** Each parameter alone; to-analysis-query.ts checks combinations, and reads filters. */
export const analysisParametersSchema = z.strictObject({
  from: wholeHour('from').meta({
    type: 'string',
    description:
      'The first hour, UTC: a date, YYYY-MM-DD, which is its midnight, or a whole hour, YYYY-MM-DDThh:00:00Z. ' +
      'A call belongs to the hour in which its response ended. Left out: the first of the month of the last hour.',
  }),
  to: wholeHour('to').meta({
    type: 'string',
    description:
      'The end, exclusive: a date as `to` is its midnight, so that day itself is left out. Left out: the end of the current hour.',
  }),
  interval: z
    .enum(ANALYSIS_INTERVALS, oneOf('interval', ANALYSIS_INTERVALS))
    .optional()
    .meta({ default: 'none' })
    .describe('How `series` is cut, in UTC; weeks begin on Monday. none: no series.'),
  group_by: several('group_by', analysisFieldSchema, GROUP_BY_MAX).meta({
    description:
      `What rows are grouped by, up to ${GROUP_BY_MAX} times: ${FIELD_WORDS}. ` +
      "creator is the leading segment of a gateway's model. team is what a call was booked to, person whose key it was; tool, tool_version (its first number), agent_kind (main or subagent) and repository are what a coding agent says of itself. api_key and person need read:keys. Left out: one row.",
  }),
  filter: several('filter', z.string(), FILTERS_MAX * FILTER_VALUES_MAX).meta({
    description:
      'FIELD=VALUE or FIELD!=VALUE, any number of times, by the fields of group_by. A call must pass all fields; ' +
      'several values of one field and operator are one filter: any of them, or none of them. ' +
      'An empty value means calls without one, as in `dim:team=`. ' +
      `At most ${FILTERS_MAX} fields with their operators, ${FILTER_VALUES_MAX} values each.`,
  }),
  order_by: z
    .enum(ANALYSIS_ORDERS, oneOf('order_by', ANALYSIS_ORDERS))
    .optional()
    .meta({ default: 'cost' })
    .describe(
      'What decides the order of rows and which have one: largest first. change: what cost changed by, up or down; change_percent: the same of what it was, and last what is new; both with compare only.',
    ),
  limit: integer('limit', { max: ANALYSIS_LIMIT_MAX, preset: ANALYSIS_LIMIT_DEFAULT }).describe(
    'The most groups with a row of their own. The others are one last row, of kind other.',
  ),
  offset: integer('offset', { min: 0, max: ANALYSIS_SUMS_MAX, preset: 0 }).describe(
    'How many groups come before, by order_by: the next page begins after offset and limit. ' +
      'Its rows sum to `total`, too: what is on other pages is in the row other.',
  ),
  search: text('search', SEARCH_CHARS_MAX).describe(
    'Only groups with this in a value, or in the name of a key, team or person, have a row of their own; upper and lower case are the same.',
  ),
  latency: flag('latency').describe('Whether there are percentiles of times; it is slower.'),
  compare: z
    .enum(['previous'], oneOf('compare', ['previous']))
    .optional()
    .describe(
      'previous: also an earlier span. Whole months: as many months before. The running month: the month before to the same moment of it. ' +
        'Any other span: as much time right before `from` as has passed of it. Groups that only the earlier span had have rows as well.',
    ),
})

/** All groups have a line. */
export const analysisCsvParametersSchema = analysisParametersSchema
  .omit({ limit: true, offset: true })
  .extend({
    steps: flag('steps').describe(
      'A line for each group and step of interval, with every figure, in place of the table.',
    ),
  })

export const percentilesSchema = named('Percentiles', {
  p50: number('Half of the calls took no longer; as the next two, within 7.3 %.'),
  p95: z.number(),
  p99: z.number(),
})

/** As a union, documents refer to the schema by its name. */
const orNull = <Schema extends z.ZodType>(schema: Schema, text: string) =>
  z.union([schema, z.null()]).describe(text)

export const analysisFiguresSchema = named('AnalysisFigures', {
  cost_usd: number('USD, rounded half-even to 1e-9. A call whose cost is not known counts as 0.'),
  market_cost_usd: number('At list price: as the provider states it, else what the call cost.'),
  requests: count('Forwarded calls. Denied ones are in `denials` and in no other figure.'),
  errors: count('Of these, calls with status refused, cut or interrupted.'),
  denials: count('Calls that Weir refused; beyond a number a minute they are in no record.'),
  unpriced: count('Of `requests`: calls whose cost is not known.'),
  estimated: count('Of `requests`: calls whose tokens are estimated, or known in part.'),
  cached: count('Of `requests`: calls with tokens read from a cache.'),
  cache_hit_share: number.orNull(
    'cache_read_tokens / input_tokens, 0 to 1; null without input tokens.',
  ),
  tokens: count('All input, cached included, and all output.'),
  input_tokens: count('All input.'),
  output_tokens: count('All output.'),
  cache_read_tokens: count('A part of the input tokens, as are the next three.'),
  cache_write_tokens: count('Written to a cache, for whatever time.'),
  input_audio_tokens: count('Sound.'),
  input_image_tokens: count('Images.'),
  reasoning_tokens: count('A part of the output tokens, as are the next two.'),
  output_audio_tokens: count('Sound.'),
  output_image_tokens: count('Images.'),
  output_tokens_per_second: number.orNull(
    'Output tokens of delivered calls over the time that these took, from the request to the last byte; null where no such call has tokens.',
  ),
  first_byte_ms: orNull(
    percentilesSchema,
    "From the request to the provider's first byte, of streamed calls: any other answer begins when it is complete. As the next two, null without latency=true, and where no call has one.",
  ),
  total_ms: orNull(
    percentilesSchema,
    'From the request to the end of its response, of calls that were delivered or refused.',
  ),
  own_us: orNull(
    percentilesSchema,
    "Weir's own share before the request went on, in microseconds.",
  ),
  unstreamed_ms: orNull(
    percentilesSchema,
    'As total_ms, of the calls whose answer was not streamed.',
  ),
})

export const ANALYSIS_KINDS = ['value', 'none', 'other'] as const

export const analysisGroupMemberSchema = named('AnalysisGroupMember', {
  field: string('As in group_by.', 'dim:team'),
  kind: z
    .enum(ANALYSIS_KINDS)
    .describe(
      'value: calls with this value; none: calls without one, untagged; other: values that are not kept apart.',
    ),
  value: string.orNull('Null unless kind is value.', 'search'),
  name: string.orNull(
    'The name of a key or team, the address of a person; null for every other field, and where nothing has the id any more.',
    null,
  ),
})

export const analysisRowSchema = named('AnalysisRow', {
  group: z.array(analysisGroupMemberSchema).describe('One for each field of group_by.'),
  ...analysisFiguresSchema.shape,
})

const rowIndex = z.int().min(0).describe('The row, as its index in `rows`.')

export const analysisBucketSchema = named('AnalysisBucket', {
  start: time('When its hour, day, week or month begins, be it before `from`.'),
  is_partial: boolean('Whether from or to cut it, or it is not over yet.'),
})

export const analysisPointSchema = named('AnalysisPoint', {
  bucket: z.int().min(0).describe('The bucket, as its index in `buckets`.'),
  row: rowIndex,
  ...analysisFiguresSchema.shape,
})

export const bucketTotalSchema = named('BucketTotal', {
  bucket: z.int().min(0).describe('The bucket, as its index in `buckets`.'),
  ...analysisFiguresSchema.shape,
})

export const previousRowSchema = named('PreviousRow', {
  row: rowIndex,
  ...analysisFiguresSchema.shape,
})

export const analysisPreviousSchema = named('AnalysisPrevious', {
  from: time(),
  to: time('Exclusive. It may cut an hour, and the last bucket.'),
  total: analysisFiguresSchema,
  rows: z
    .array(previousRowSchema)
    .describe('Those of `rows` that had calls then. A row that is not among them is new.'),
  buckets: z
    .array(analysisBucketSchema)
    .describe('All of the previous span; the first stands for the first of `buckets`.'),
  series: z
    .array(analysisPointSchema)
    .describe(
      'Rows by its own buckets, as `series`. Empty without interval, and where its hours are gone.',
    ),
  recorded_from: time.orNull(
    "Weir's first call, where it was later than `from`: before it nothing is on record, so a change says little. Else null.",
  ),
})

export const analysisSchema = named('Analysis', {
  asOf: time('The moment of all that is in it, UTC.'),
  from: time(),
  to: time('Exclusive.'),
  interval: z.enum(ANALYSIS_INTERVALS),
  group_by: z.array(z.string().meta({ example: 'dim:team' })),
  buckets: z.array(analysisBucketSchema).describe('All of the span, those without calls included.'),
  rows: z
    .array(analysisRowSchema)
    .describe(
      'A row for each group, by order_by, largest first; other comes last. They sum to `total`.',
    ),
  series: z
    .array(analysisPointSchema)
    .describe('Rows by bucket, only those with calls; they sum to `rows`. Empty without interval.'),
  bucket_totals: z
    .array(bucketTotalSchema)
    .describe(
      'Buckets over all their rows, only those with calls: percentiles cannot be added up. Empty without latency=true and an interval.',
    ),
  total: analysisFiguresSchema,
  groups: count('Groups that rows are for, on all pages: those that search finds, or all.'),
  other_groups: count('Groups without a row of their own, because of limit, offset or search.'),
  capped_calls: count(
    'Of the total: calls with a dimension, or a value of one, that was one too many of its month. They are of kind other.',
  ),
  capped_keys: z
    .array(z.string())
    .describe(
      `The ids of their keys, the one with the most first, at most ${CAPPED_KEYS_MAX}. Empty without the scope read:keys.`,
    ),
  complete_from: time.orNull('Calls that ended before it may be missing; null where none is.'),
  previous: orNull(analysisPreviousSchema, 'Null without compare.'),
})

export type AnalysisFiguresAnswer = z.infer<typeof analysisFiguresSchema>
export type AnalysisGroupMember = z.infer<typeof analysisGroupMemberSchema>
export type AnalysisRow = z.infer<typeof analysisRowSchema>
export type Analysis = z.infer<typeof analysisSchema>
