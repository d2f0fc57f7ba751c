// GET /v1/usage. The order of checks is part of the contract: caller, rate, scope, parameters,
// catalogue, then the scope that a breakdown by key needs.

import { unauthorized } from '../access.ts'
import type { Access } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import type { Caller } from '../../core/caller.ts'
import { withRatedScope } from '../rated-access.ts'
import { INVALID_PARAMETER_EXAMPLE, error } from '../route-answers.ts'
import type { Answers } from '../route-answers.ts'
import { CATALOGUE } from './catalogue.ts'
import { checkQueryScope, describeRow, toUsageQuery } from './parse-usage-query.ts'
import { snapshotResponse } from './snapshot-response.ts'
import {
  REQUESTS_PER_MINUTE_MAX,
  usageEnvelopeSchema,
  usageParametersSchema,
} from './usage-contract.ts'
import type { UsageRow } from './usage-contract.ts'

const DESCRIPTION = `Dimension \`api_key\` needs read:keys as well.

Answered are: ${CATALOGUE.map(describeRow).join('; ')}. Anything else is refused.

Days and months are cut in UTC, by the moment a response ended. A total is one row, 0 when there is nothing. A breakdown has its largest value first, \
ties by label, and at most \`limit\` rows. Breakdowns by \`dim\` and \`dim_model\` contain only calls that carry that dimension; all others contain every call. \
A trend by \`day\` has every day, oldest first, and \`limit\` does not cut it. \`monthly_series\` has every month for the \`limit\` largest providers, by month, then by value.

Equal questions are given the same snapshot for a while, whichever process is asked: 60 seconds for \`today\`, \`last_7_days\` and \`last_30_days\`; \
5 minutes for \`yesterday\`, \`month_to_date\`, \`monthly_series\` and the current month; 1 hour for \`last_month\` and closed months. No snapshot outlives its UTC day. \
\`asOf\` is when it was taken, and \`Cache-Control\` says how long it is still valid.

A token may ask ${REQUESTS_PER_MINUTE_MAX} times a minute, whatever the result; the RateLimit headers say how many are left.`

const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' as const, minimum: 0 },
  example,
})

export const RATE_HEADERS = {
  'RateLimit-Limit': integer('How often a token may ask within a minute.', REQUESTS_PER_MINUTE_MAX),
  'RateLimit-Remaining': integer('How often it may still ask.', 42),
  'RateLimit-Reset': integer('Seconds until the oldest question counts no more.', 17),
}

export function withRateHeaders(answers: Answers): Answers {
  const all = Object.entries(answers)
  return Object.fromEntries(
    all.map(([status, answer]) => [status, { ...answer, headers: RATE_HEADERS }]),
  )
}

export const CACHE_HEADER = {
  description: '`private`, and as `max-age` the seconds for which the snapshot is valid.',
  schema: { type: 'string' as const },
  example: 'private, max-age=297',
}

export const ASKED_TOO_OFTEN: Answers = {
  429: {
    ...error(
      '`rate_limited`: the token has asked too often, or too many questions wait. Wait as long as Retry-After says.',
      {
        error: 'This token has asked 60 times within a minute. Ask again in 17 s.',
        code: 'rate_limited',
      },
    ),
    headers: {
      ...RATE_HEADERS,
      'Retry-After': integer('Seconds to wait; the next question is then answered.', 17),
    },
  },
}

/** For every question about usage, by the same count of a token. */
export const USAGE_ACCESS: Access<Caller> = {
  ...withRatedScope('read:usage'),
  faults: () => ({
    400: { ...REFUSED_PARAMETERS, headers: RATE_HEADERS },
    ...unauthorized('read:usage'),
    403: { ...REFUSED_SCOPE, headers: RATE_HEADERS },
    ...ASKED_TOO_OFTEN,
  }),
}

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
        value: {
          error:
            'This combination of metric, dimension and window is not served. There are: ' +
            'cost_usd without dimension over month_to_date, last_month, today, yesterday, month; …',
          code: 'unknown_catalog_tuple',
        },
      },
    },
  },
)

const refusedScope = (summary: string, text: string) => ({
  summary,
  value: { error: text, code: 'scope_denied' },
})

const REFUSED_SCOPE = error(
  '`scope_denied`: the token lacks read:usage, or read:keys for dimension api_key.',
  {
    examples: {
      usage: refusedScope(
        'The token may not read usage',
        'This needs a token with scope read:usage.',
      ),
      keys: refusedScope(
        'The token may not see keys',
        'Dimension api_key needs a token with scope read:keys.',
      ),
    },
  },
)

function example(summary: string, ...rows: readonly UsageRow[]) {
  return { summary, value: { asOf: '2026-03-15T12:00:00.000Z', rows } }
}

function row(label: string, value: number, more: Partial<UsageRow> = {}): UsageRow {
  return { label, value, bucket: null, model: null, requests: null, tokens: null, ...more }
}

const LARGE = 'large-2026-01-15'
const SMALL = 'small-2026-01-15'
const EXAMPLES = {
  total: example('A total: metric=cost_usd&window=month_to_date', row('total', 1284.503)),
  breakdown: example(
    'A breakdown: metric=cost_usd&window=month_to_date&dimension=model&limit=2',
    row(LARGE, 912.4),
    row(SMALL, 372.103),
  ),
  dim_model: example(
    'Pairs: metric=cost_usd&window=month_to_date&dimension=dim_model&dim_key=team&limit=3',
    row('search', 640.25, { model: LARGE, requests: 41_200, tokens: 88_310_000 }),
    row('support', 272.15, { model: LARGE, requests: 17_900, tokens: 37_540_000 }),
    row('search', 18.5, { model: SMALL, requests: 9_300, tokens: 12_400_000 }),
  ),
  monthly_series: example(
    'Month by month: metric=cost_usd&window=monthly_series&dimension=provider&months=2&limit=2',
    row('some-provider', 2210.75, { bucket: '2026-02-01' }),
    row('other-provider', 0, { bucket: '2026-02-01' }),
    row('some-provider', 1034.003, { bucket: '2026-03-01' }),
    row('other-provider', 250.5, { bucket: '2026-03-01' }),
  ),
}

export const USAGE_ROUTES: readonly ApiRoute[] = [
  routesOf('Usage')('GET /v1/usage', {
    name: 'getUsage',
    summary: 'Cost and usage',
    description: DESCRIPTION,
    access: USAGE_ACCESS,
    sight: 'scoped',
    query: usageParametersSchema,
    answer: {
      ...ok('The rows, and when they were read.', usageEnvelopeSchema, { examples: EXAMPLES }),
      headers: { ...RATE_HEADERS, 'Cache-Control': CACHE_HEADER },
    },
    handle: async ({ context, services, caller, query }) => {
      const { clock, usage, usageSnapshots } = services
      const asked = toUsageQuery(query, clock.now())
      checkQueryScope(asked, caller)
      const snapshot = await usageSnapshots.read(asked, usage)
      return snapshotResponse(context, snapshot, clock.now())
    },
  }),
]
