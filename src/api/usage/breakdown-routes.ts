// GET /v1/breakdown: a question of the catalogue with the whole its rows are part of, all of one
// moment. The checks and their order are those of GET /v1/usage.

import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { checkQueryScope, toUsageQuery } from './parse-usage-query.ts'
import { readBreakdown } from './read-breakdown.ts'
import { answerKept } from './snapshot-response.ts'
import { usageBreakdownSchema, usageParametersSchema } from './usage-contract.ts'
import { CACHE_HEADER, RATE_HEADERS, USAGE_ACCESS } from './usage-routes.ts'

export const BREAKDOWN_ROUTES: readonly ApiRoute[] = [
  routesOf('Usage')('GET /v1/breakdown', {
    name: 'getBreakdown',
    summary: 'Cost and usage, with the whole that the rows are part of',
    description:
      'Takes the questions of `/v1/usage`, by the same rate limit. Rows, `total` and `untagged` are of one moment, `asOf`, so that they add up: ' +
      'what is in neither the rows nor `untagged` has no row because of `limit`. A snapshot, kept for a minute.',
    access: USAGE_ACCESS,
    sight: 'scoped',
    query: usageParametersSchema,
    answer: {
      ...ok('The rows, their total, and when they were read.', usageBreakdownSchema),
      headers: { ...RATE_HEADERS, 'Cache-Control': CACHE_HEADER },
    },
    handle: (call) => {
      const { services, caller, query } = call
      const asked = toUsageQuery(query, services.clock.now())
      checkQueryScope(asked, caller)
      return answerKept(call, ['breakdown', ...Object.values(asked)], (nowMs) =>
        readBreakdown(asked, services.usage, nowMs),
      )
    },
  }),
]
