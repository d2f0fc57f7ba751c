// GET /v1/analysis. The checks and their order are those of GET /v1/usage.

import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error } from '../route-answers.ts'
import { answerQuestion, KEPT_MS } from '../usage/snapshot-response.ts'
import { CACHE_HEADER, RATE_HEADERS, USAGE_ACCESS } from '../usage/usage-routes.ts'
import type { KeptQuestion } from '../usage/usage-snapshots.ts'
import { analysisParametersSchema, analysisSchema } from './analysis-contract.ts'
import { ANALYSIS_POINTS_MAX } from './analysis-span.ts'
import { checkAnalysisScope, toAnalysisQuery } from './to-analysis-query.ts'
import type { AnalysisQuery } from './to-analysis-query.ts'

const ACCESS: typeof USAGE_ACCESS = {
  ...USAGE_ACCESS,
  faults: (method) => ({
    ...USAGE_ACCESS.faults(method),
    400: {
      ...error(
        '`invalid_parameter`: the text names the parameter and what is allowed, or how to narrow the question.',
        {
          error: `This would be 720 buckets of 102 rows, more than ${ANALYSIS_POINTS_MAX} in all. Take limit=25 or less, a longer interval, a shorter span by from and to.`,
          code: 'invalid_parameter',
        },
      ),
      headers: RATE_HEADERS,
    },
    403: {
      ...error('`scope_denied`: the token lacks read:usage, or read:keys for group_by api_key.', {
        error: 'group_by api_key needs a token with scope read:keys.',
        code: 'scope_denied',
      }),
      headers: RATE_HEADERS,
    },
  }),
}

const DESCRIPTION = `\`group_by=api_key\` needs read:keys as well. By the rate limit of \`/v1/usage\`.

Any hours, by up to two fields, filtered by any. Everything in an answer is of one moment, \`asOf\`, and adds up: \`series\` to \`rows\`, \`rows\` to \`total\`; \
figures of the same hours and moment are those of \`/v1/usage\`. Groups beyond \`limit\` are one last row whose members are of kind other; calls without a value (untagged) are a row of their own, whatever \`limit\` is. \
A group that only the previous span had has a row as well, with nothing in it.

What would take too long, or has more than ${ANALYSIS_POINTS_MAX} buckets times rows, is refused with the way to narrow it. A snapshot, kept for a minute.`

export const ANALYSIS_ROUTES: readonly ApiRoute[] = [
  routesOf('Usage')('GET /v1/analysis', {
    name: 'getAnalysis',
    summary: 'Any question about usage',
    description: DESCRIPTION,
    access: ACCESS,
    query: analysisParametersSchema,
    answer: {
      ...ok('Rows, their points in time, and their total.', analysisSchema),
      headers: { ...RATE_HEADERS, 'Cache-Control': CACHE_HEADER },
    },
    handle: (call) => {
      const { services, caller, query } = call
      const asked = checkAnalysisScope(toAnalysisQuery(query, services.clock.now()), caller)
      return answerQuestion(call, toKeptAnalysis(services, asked))
    },
  }),
]

/** For all who ask through the API: the same question has the same answer for a minute. */
export function toKeptAnalysis(
  { questions, keyDirectory }: ApiServices,
  query: AnalysisQuery,
): KeptQuestion {
  return {
    name: JSON.stringify(['analysis', ...Object.values(query)]),
    compute: async (nowMs) => {
      const hasKeys = query.groupBy.includes('api_key')
      const keys = hasKeys ? (await keyDirectory.read()).byName : []
      const keyNames = new Map(keys.map(({ key }) => [key.id, key.name]))
      return { text: await questions.writeAnalysis(query, keyNames, nowMs), keptMs: KEPT_MS }
    },
  }
}
