// GET /v1/overview: a snapshot, shared like those of /v1/usage.

import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { readOverview } from './read-overview.ts'
import { snapshotResponse } from './snapshot-response.ts'
import { overviewSchema } from './usage-contract.ts'
import type { KeptQuestion } from './usage-snapshots.ts'

const KEPT_MS = 60_000
/** Short, so that the first call of all appears soon. */
const KEPT_MS_WITHOUT_CALLS = 1000

export const OVERVIEW_ROUTES: readonly ApiRoute[] = [
  routesOf('Service')('GET /v1/overview', {
    name: 'getOverview',
    summary: 'What stands beside the figures on the first page of the console',
    description:
      'A snapshot: for a minute, and never past the end of the UTC day, the answer is the same.',
    access: withScope('read:usage'),
    answer: ok('This month and the last.', overviewSchema, {
      asOf: '2026-03-15T12:00:00.000Z',
      has_calls: true,
      last_month_same_day_usd: 1102.75,
      forecast_usd: 2654.6396,
      unpriced_requests: 12,
      unpriced_models: 1,
      estimated_requests: 340,
      dim_keys: ['team', 'app', 'env'],
    }),
    handle: async ({ context, services }) => {
      const { clock, usageSnapshots } = services
      const snapshot = await usageSnapshots.readKept(toQuestion(services))
      return snapshotResponse(context, snapshot, clock.now())
    },
  }),
]

function toQuestion(services: ApiServices): KeptQuestion {
  return {
    name: 'overview',
    compute: async (nowMs) => {
      const overview = await readOverview(services, nowMs)
      const keptMs = overview.has_calls ? KEPT_MS : KEPT_MS_WITHOUT_CALLS
      return { text: JSON.stringify(overview), keptMs }
    },
  }
}
