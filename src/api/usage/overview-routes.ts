// GET /v1/overview: one moment, in a snapshot that is shared like those of /v1/usage.

import { hasScope } from '../../core/api-key.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { TOO_MANY_WAIT } from '../route-answers.ts'
import { readOverview } from './read-overview.ts'
import type { OverviewChoice } from './read-overview.ts'
import { EXAMPLE_REPRICED, toExampleRow } from './example-row.ts'
import { snapshotResponse } from './snapshot-response.ts'
import { overviewParametersSchema, overviewSchema } from './usage-contract.ts'
import type { KeptQuestion } from './usage-snapshots.ts'

const KEPT_MS = 60_000
/** Short, so that the first call of all appears soon. */
const KEPT_MS_WITHOUT_CALLS = 1000

const FIGURES = {
  today_usd: 42.75,
  yesterday_usd: 91.5,
  month_to_date_usd: 1284.503,
  last_month_usd: 2210.75,
  requests_today: 4120,
  requests_month_to_date: 68_400,
  tokens_month_to_date: 138_250_000,
  days: [toExampleRow('2026-03-14', 91.5), toExampleRow('2026-03-15', 42.75)],
  providers: [toExampleRow('some-provider', 1034.003), toExampleRow('other-provider', 250.5)],
  models: [toExampleRow('large-2026-01-15', 912.4), toExampleRow('small-2026-01-15', 372.103)],
  keys: [toExampleRow('svc_k_4ZkUQ1mYt0aB8cDe', 1284.503)],
  dim_key: 'team',
  dim: [toExampleRow('search', 658.75), toExampleRow('support', 272.15)],
}

export const OVERVIEW_ROUTES: readonly ApiRoute[] = [
  routesOf('Service')('GET /v1/overview', {
    name: 'getOverview',
    summary: 'The first page of the console',
    description:
      'Everything in it is worked out at one moment, `asOf`, so that its figures add up; each is what `/v1/usage` answers at that moment. ' +
      'A snapshot: for a minute, and never past the end of the UTC day, the answer is the same. `figures.keys` needs read:keys as well.',
    access: withScope('read:usage'),
    query: overviewParametersSchema,
    answer: ok('This month and the last.', overviewSchema, {
      asOf: '2026-03-15T12:00:00.000Z',
      has_calls: true,
      first_call_at: '2025-11-03T08:12:40.000Z',
      comparison: {
        from: '2026-03-01T00:00:00.000Z',
        to: '2026-03-15T12:00:00.000Z',
        cost_usd: 1284.503,
        before_from: '2026-02-01T00:00:00.000Z',
        before_to: '2026-02-15T12:00:00.000Z',
        before_cost_usd: 1043.25,
      },
      last_month_same_day_usd: 1102.75,
      forecast_usd: 2654.6396,
      unpriced_requests: 12,
      unpriced_models: 1,
      estimated_requests: 340,
      dim_keys: ['team', 'app', 'env'],
      repriced: [EXAMPLE_REPRICED],
      figures: FIGURES,
    }),
    answers: TOO_MANY_WAIT,
    handle: async ({ context, services, caller, query }) => {
      const { clock, usageSnapshots } = services
      const choice = { dimKey: query.dim_key ?? null, hasKeys: hasScope(caller, 'read:keys') }
      const snapshot = await usageSnapshots.readKept(toQuestion(services, choice))
      return snapshotResponse(context, snapshot, clock.now())
    },
  }),
]

function toQuestion(services: ApiServices, choice: OverviewChoice): KeptQuestion {
  return {
    name: JSON.stringify(['overview', choice.dimKey, choice.hasKeys]),
    compute: async (nowMs) => {
      const overview = await readOverview(services, choice, nowMs)
      const keptMs = overview.has_calls ? KEPT_MS : KEPT_MS_WITHOUT_CALLS
      return { text: JSON.stringify(overview), keptMs }
    },
  }
}
