// Describes query_usage to agents, from the contract. Must stay true: every example works as is.

import { z } from 'zod'
import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import {
  CATALOGUE,
  DIMENSIONS,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  METRICS,
  MONTHS_DEFAULT,
  MONTHS_MAX,
  REQUESTS_PER_MINUTE_MAX,
  WINDOWS,
  usageParametersSchema,
} from '../contract.ts'
import type { CatalogueRow, Dimension, Metric, UsageWindow } from '../contract.ts'
import { toPeriod } from '../usage/windows.ts'

export const questionsSchema = z.object({
  now: z.iso.datetime().describe('The moment it is, UTC. All days and months are UTC.'),
  questions: z
    .array(
      z.object({
        question: z.string().describe('What is answered, in words.'),
        metric: z.enum(METRICS),
        dimension: z.enum(DIMENSIONS).nullable().describe('Null: leave it out.'),
        windows: z.array(z.enum(WINDOWS)),
        is_allowed: z.boolean().describe('Whether this token may ask it.'),
        example: z
          .record(z.string(), z.string())
          .describe('Arguments of query_usage that work as they are.'),
      }),
    )
    .describe('All there are: other combinations are refused.'),
  windows: z.array(
    z.object({
      window: z.enum(WINDOWS),
      from: z.string().describe('The first day or month it covers now.'),
      to: z.string().describe('The last day or month, inclusive.'),
      meaning: z.string(),
    }),
  ),
  parameters: z.array(
    z.object({ name: z.string(), is_required: z.boolean(), meaning: z.string() }),
  ),
  notes: z.array(z.string()).describe('Dimensions, limits, freshness.'),
})

export type Questions = z.infer<typeof questionsSchema>

const METRIC_WORDS: Readonly<Record<Metric, string>> = {
  cost_usd: 'The cost in USD',
  requests: 'The number of requests',
  tokens: 'The number of tokens',
}

const DIMENSION_WORDS: Readonly<Record<Dimension, string>> = {
  provider: 'by provider',
  model: 'by model',
  api_key: 'by API key; needs a token with scope read:keys',
  dim: 'by the values of a dimension that callers set, such as team',
  dim_model:
    'by the values of a dimension and by model, each pair with its requests and tokens too',
  day: 'day by day, oldest first, days without a call as 0',
}

const WINDOW_WORDS: Readonly<Record<UsageWindow, string>> = {
  month_to_date: 'the current month so far',
  last_month: 'the month before; for the total only, a breakdown takes window month',
  today: 'the current day so far',
  yesterday: 'the day before',
  last_7_days: 'seven days, today included',
  last_30_days: 'thirty days, today included',
  month: 'the month that parameter month names; last month is shown',
  monthly_series: `month by month, the current one included: ${MONTHS_DEFAULT} months unless months says otherwise, up to ${MONTHS_MAX}`,
}

const NOTES: readonly string[] = [
  'Dimensions are named by those who make the calls: the header X-SVC-Dims of a call, as in team=search,env=prod, or the settings of its API key. ' +
    'list_dimensions has the names and values in use; team is common. A name that no call carries has no rows.',
  'By a dimension only the calls that carry it are counted: the rows may add up to less than the total.',
  `A breakdown has ${LIMIT_DEFAULT} rows unless limit says otherwise, at most ${LIMIT_MAX}.`,
  'A call whose cost is not known counts as 0. Calls whose model is not known are the row unknown.',
  'asOf is the moment the figures were read. The same question has the same answer for a minute (today, last_7_days, last_30_days), ' +
    'five minutes (yesterday, this month, monthly_series) or an hour (past months): asking again sooner shows nothing new.',
  `${REQUESTS_PER_MINUTE_MAX} questions a minute a token, those to GET /v1/usage included.`,
]

export function createQuestions(nowMs: number, token: Caller): Questions {
  const month = lastMonth(nowMs)
  return {
    now: new Date(nowMs).toISOString(),
    questions: CATALOGUE.map((row) => ({
      question: describe(row),
      metric: row.metric,
      dimension: row.dimension,
      windows: [...row.windows],
      is_allowed: row.dimension !== 'api_key' || hasScope(token, 'read:keys'),
      example: toExample(row, month),
    })),
    windows: WINDOWS.map((window) => {
      const { from, to } = toPeriod({ window, month, months: MONTHS_DEFAULT }, nowMs)
      return { window, from, to, meaning: WINDOW_WORDS[window] }
    }),
    parameters: Object.entries(usageParametersSchema.shape).map(([name, schema]) => ({
      name,
      is_required: !schema.safeParse(undefined).success,
      meaning: schema.description ?? '',
    })),
    notes: [...NOTES],
  }
}

export function lastMonth(nowMs: number): string {
  return toPeriod({ window: 'last_month', month: null, months: null }, nowMs).from
}

function describe({ metric, dimension }: CatalogueRow): string {
  const grouping = dimension === null ? 'in total' : DIMENSION_WORDS[dimension]
  return `${METRIC_WORDS[metric]} ${grouping}.`
}

function toExample({ metric, dimension, windows }: CatalogueRow, month: string) {
  const window = windows.includes('month') ? 'month' : (windows[0] ?? 'month')
  const isByDim = dimension === 'dim' || dimension === 'dim_model'
  return {
    metric,
    ...(dimension === null ? {} : { dimension }),
    ...(isByDim ? { dim_key: 'team' } : {}),
    window,
    ...(window === 'month' ? { month } : {}),
  }
}
