// GET /v1/breakdown: a question of the catalogue with the whole its rows are part of, all of one
// moment. The checks and their order are those of GET /v1/usage.

import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { checkQueryScope, toUsageQuery } from './parse-usage-query.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { readBreakdown } from './read-breakdown.ts'
import { EXAMPLE_REPRICED, toExampleRow } from './example-row.ts'
import { snapshotResponse } from './snapshot-response.ts'
import { usageBreakdownSchema, usageParametersSchema } from './usage-contract.ts'
import { CACHE_HEADER, RATE_HEADERS, USAGE_ACCESS } from './usage-routes.ts'
import type { KeptQuestion } from './usage-snapshots.ts'

const KEPT_MS = 60_000

export const BREAKDOWN_ROUTES: readonly ApiRoute[] = [
  routesOf('Usage')('GET /v1/breakdown', {
    name: 'getBreakdown',
    summary: 'Cost and usage, with the whole that the rows are part of',
    description:
      'Takes the questions of `/v1/usage`, by the same rate limit. Rows, `total` and `untagged` are of one moment, `asOf`, so that they add up: ' +
      'what is in neither the rows nor `untagged` has no row because of `limit`. A snapshot, kept for a minute.',
    access: USAGE_ACCESS,
    query: usageParametersSchema,
    answer: {
      ...ok('The rows, their total, and when they were read.', usageBreakdownSchema, {
        asOf: '2026-03-15T12:00:00.000Z',
        rows: [toExampleRow('search', 658.75), toExampleRow('support', 272.15)],
        total: 1284.503,
        untagged: 310.25,
        repriced: [EXAMPLE_REPRICED],
      }),
      headers: { ...RATE_HEADERS, 'Cache-Control': CACHE_HEADER },
    },
    handle: async ({ context, services, caller, query }) => {
      const { clock, usageSnapshots } = services
      const asked = toUsageQuery(query, clock.now())
      checkQueryScope(asked, caller)
      const snapshot = await usageSnapshots.readKept(toQuestion(services, asked))
      return snapshotResponse(context, snapshot, clock.now())
    },
  }),
]

function toQuestion({ usage }: ApiServices, query: UsageQuery): KeptQuestion {
  return {
    name: JSON.stringify(['breakdown', ...Object.values(query)]),
    compute: async (nowMs) => ({
      text: JSON.stringify(await readBreakdown(query, usage, nowMs)),
      keptMs: KEPT_MS,
    }),
  }
}
