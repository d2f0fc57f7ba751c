// The contract for usage, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { boolean, count, number, string, time } from '../answer-members.ts'
import { dimKeyParameter, integer, keyIdParameter, named, oneOf } from '../parameter-schemas.ts'
import {
  analysisBucketSchema,
  analysisFieldSchema,
  analysisGroupMemberSchema,
} from '../analysis/analysis-contract.ts'
import { DIMENSIONS, METRICS, WINDOWS } from './catalogue.ts'

/** Per token, for GET /v1/usage and questions by /mcp together. */
export const REQUESTS_PER_MINUTE_MAX = 60

export const LIMIT_MAX = 1000
export const LIMIT_DEFAULT = 5
export const MONTHS_MAX = 24
export const MONTHS_DEFAULT = 12

/** Each parameter alone; parse-usage-query.ts checks combinations. */
export const usageParametersSchema = z.strictObject({
  metric: z.enum(METRICS, oneOf('metric', METRICS)).describe('What is measured.'),
  window: z
    .enum(WINDOWS, oneOf('window', WINDOWS))
    .describe('The time it is measured over. Days and months are cut in UTC.'),
  dimension: z
    .enum(DIMENSIONS, oneOf('dimension', DIMENSIONS))
    .optional()
    .describe('What the rows are grouped by. Left out: one row, the total.'),
  dim_key: dimKeyParameter.describe(
    'Which dimension to break down by. With dimension dim and dim_model only.',
  ),
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'month must be a calendar month as YYYY-MM')
    .optional()
    .describe('Not after the current month. With window month only.'),
  months: integer('months', { max: MONTHS_MAX, preset: MONTHS_DEFAULT }).describe(
    'How many months, the current one included. With window monthly_series only.',
  ),
  limit: integer('limit', { max: LIMIT_MAX, preset: LIMIT_DEFAULT }).describe(
    'The most rows of a breakdown, largest value first. A total is always one row.',
  ),
  api_key: keyIdParameter.describe('Only the calls of this key. With metric cost_usd only.'),
})

const ofSome = <Schema extends z.ZodType>(schema: Schema, rows: string) =>
  schema.nullable().describe(`${rows}, else null.`).meta({ example: null })

export const usageRowSchema = named('UsageRow', {
  label: string('The group; total for a single number.', 'search'),
  value: number('USD for cost_usd; a count for requests and tokens.', 1284.503),
  bucket: ofSome(z.string(), 'YYYY-MM-01 on rows of monthly_series'),
  model: ofSome(z.string(), 'On rows of dim_model'),
  requests: ofSome(z.int(), 'On rows of dim_model'),
  tokens: ofSome(z.int(), 'On rows of dim_model'),
})

export const usageEnvelopeSchema = named('UsageEnvelope', {
  asOf: time('The moment the figures were read, UTC.'),
  rows: z.array(usageRowSchema),
})

/** A month whose costs were changed by a repricing. */
export const repricedMonthSchema = named('RepricedMonth', {
  month: string('YYYY-MM, UTC.', '2026-03'),
  at: time('When its costs were last changed.'),
  calls: count('Changed costs; a call that was repriced twice counts twice.'),
  before_usd: number(
    'What all calls of the month that had ended by then, of every key, came to before.',
  ),
  after_usd: number('What they came to after it.'),
})

const repriced = (months: string) =>
  z
    .array(repricedMonthSchema)
    .describe(`${months} Latest month first. Not known of changes by versions before this member.`)

/** The rows of a question of /v1/usage with the whole that they are part of. */
export const usageBreakdownSchema = named('UsageBreakdown', {
  asOf: time('The moment of rows, total and untagged alike, UTC.'),
  rows: z.array(usageRowSchema),
  total: number('What all calls of the window come to, those without a row included.'),
  untagged: number.orNull(
    'The part of calls without the dimension; null where rows are not by dimension.',
  ),
  repriced: repriced(
    'The months of the window whose costs were changed by a repricing. None for metrics other than cost_usd, or windows of days.',
  ),
})

export const overviewParametersSchema = z.strictObject({
  dim_key: dimKeyParameter.describe(
    'The dimension of `figures.dim`. Left out: the one that most calls carry.',
  ),
  group_by: analysisFieldSchema
    .optional()
    .meta({ default: 'model' })
    .describe('The field of `breakdown`, as in `/v1/analysis`. api_key and person need read:keys.'),
})

/** Each is what /v1/usage answers at that moment. */
export const overviewFiguresSchema = named('OverviewFigures', {
  today_usd: z.number(),
  yesterday_usd: z.number(),
  month_to_date_usd: z.number(),
  last_month_usd: number('The whole of last month.'),
  requests_today: count('Forwarded calls.'),
  requests_month_to_date: count('Forwarded calls.'),
  tokens_month_to_date: count('All input and all output.'),
  days: z.array(usageRowSchema).describe('Cost by day, last 30 days.'),
  providers: z.array(usageRowSchema).describe('The five that cost most this month.'),
  models: z.array(usageRowSchema).describe('The five that cost most this month.'),
  keys: z
    .array(usageRowSchema)
    .nullable()
    .describe('The five that cost most this month; null without scope read:keys.'),
  dim_key: string.orNull('The dimension of dim; null where calls carry none.', 'team'),
  dim: z.array(usageRowSchema).describe('Its five values that cost most this month.'),
})

/** As /v1/analysis compares the running month. */
export const monthComparisonSchema = named('MonthComparison', {
  from: time("This month's start."),
  to: time('Now, or the last midnight where single hours of last month are gone.'),
  cost_usd: z.number(),
  before_from: time("Last month's start."),
  before_to: time(
    'As far into last month as `to` is into this one, or its end where it is shorter.',
  ),
  before_cost_usd: z.number(),
  recorded_from: time.orNull(
    "Weir's first call, where it was later than `before_from`: the change then says little. Else null.",
  ),
})

export const overviewGroupSchema = named('OverviewGroup', {
  group: analysisGroupMemberSchema,
  cost_usd: number.orNull('This month; null where it had no calls: it is gone.'),
  before_cost_usd: number.orNull(
    'In the earlier span of `comparison`; null where it had no calls: it is new.',
  ),
  unpriced: count('Calls of this month whose cost is not known.'),
})

export const overviewDaysBeforeSchema = named('OverviewDaysBefore', {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  buckets: z.array(analysisBucketSchema),
  costs: z.array(z.array(z.number())),
})

export const overviewDaysSchema = named('OverviewDays', {
  buckets: z.array(analysisBucketSchema).describe('The last 30 days.'),
  groups: z
    .array(analysisGroupMemberSchema)
    .describe('The ten that cost most in them, largest first, and what is untagged or other.'),
  costs: z
    .array(z.array(z.number()))
    .describe('In USD: for each day, by the index of its bucket, those of all groups.'),
  before: z
    .union([overviewDaysBeforeSchema, z.null()])
    .describe(
      'As much time right before, as compare=previous has it; its first day stands for the first. Null where nothing of it is on record.',
    ),
})

export const overviewBreakdownSchema = named('OverviewBreakdown', {
  group_by: z.string().meta({ example: 'model' }),
  rows: z
    .array(overviewGroupSchema)
    .describe('The eight groups that cost most this month, and what is untagged or other.'),
  movers: z
    .array(overviewGroupSchema)
    .nullable()
    .describe(
      'The three whose cost changed most against the earlier span, up or down. Null without that span, where its hours are gone, and where it began before the first call.',
    ),
  days: z
    .union([overviewDaysSchema, z.null()])
    .describe('The last 30 days by day; null where single hours of them are gone.'),
})

/** The console's first page, all of one moment; a snapshot like those of /v1/usage. */
export const overviewSchema = named('Overview', {
  asOf: time(),
  has_calls: boolean('Whether a call was ever recorded.'),
  first_call_at: time.orNull(
    'When the first call on record began; the day of it where its record was removed.',
  ),
  comparison: monthComparisonSchema
    .nullable()
    .describe('This month against the last; null where there is nothing of last month.'),
  last_month_same_day_usd: number.orNull(
    "Last month from its first day to the end of today's day of the month, or to its last day where it is shorter. Null for who sees single teams, where these calls are no longer kept; `figures.days` has then no rows.",
  ),
  forecast_usd: number.orNull(
    'What this month comes to at the pace since it began, or since the first call on record; null where that is less than two days.',
  ),
  unpriced_requests: count('This month: calls whose cost is not known.'),
  unpriced_models: count('So many models are behind them.'),
  estimated_requests: count(
    'This month: calls whose tokens were counted from the text, or are known in part only.',
  ),
  dim_keys: z
    .array(z.string().meta({ example: 'team' }))
    .describe('Dimensions that calls of this or last month carry, most used first.'),
  repriced: repriced('Of this month and the last, those whose costs were changed by a repricing.'),
  figures: overviewFiguresSchema,
  breakdown: z
    .union([overviewBreakdownSchema, z.null()])
    .describe('By group_by; null where there are too many groups.'),
})

/** What one key spent, all of one moment. */
export const keySpendSchema = named('KeySpend', {
  asOf: time(),
  today_usd: z.number(),
  yesterday_usd: z.number(),
  month_to_date_usd: z.number(),
  last_month_usd: number('The whole of last month.'),
  days: z.array(usageRowSchema).describe('Cost by day, last 30 days.'),
  models: z.array(usageRowSchema).describe('The six that cost most this month.'),
})

const teamTotals = (start: string, example: string) =>
  z
    .array(
      z.object({
        start: string(start, example),
        cost_usd: z.number(),
        requests: count('Without those that were refused.'),
        tokens: z.int(),
        unpriced: count('Of its requests, those whose cost is not known.'),
      }),
    )
    .nullable()

/** The totals of one team, all of one moment. */
export const teamSpendSchema = named('TeamSpend', {
  asOf: time(),
  days: teamTotals('A day, UTC.', '2026-02-20').describe(
    'The last 30 days, today the last. Null where the calls of one are no longer kept.',
  ),
  months: teamTotals('A month, UTC.', '2026-02').describe(
    'The last 12 months, this one the last. Null where they are not known.',
  ),
})

export type RepricedMonthAnswer = z.infer<typeof repricedMonthSchema>
export type UsageRow = z.infer<typeof usageRowSchema>
export type UsageEnvelope = z.infer<typeof usageEnvelopeSchema>
export type UsageBreakdown = z.infer<typeof usageBreakdownSchema>
export type KeySpend = z.infer<typeof keySpendSchema>
export type TeamSpend = z.infer<typeof teamSpendSchema>
export type Overview = z.infer<typeof overviewSchema>
export type OverviewGroup = z.infer<typeof overviewGroupSchema>
