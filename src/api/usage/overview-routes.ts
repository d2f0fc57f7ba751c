// GET /v1/overview: one moment, in a snapshot that is shared like those of /v1/usage.

import { hasScope } from '../../core/api-key.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { readNames } from '../known-names.ts'
import { TOO_MANY_WAIT } from '../route-answers.ts'
import { requireFieldScope } from '../analysis/to-analysis-query.ts'
import type { OverviewChoice } from './read-overview.ts'
import { answerQuestion, KEPT_MS } from './snapshot-response.ts'
import { overviewParametersSchema, overviewSchema } from './usage-contract.ts'
import type { KeptQuestion } from './usage-snapshots.ts'

/** Short, so that the first call of all appears soon. */
const KEPT_MS_WITHOUT_CALLS = 1000

export const OVERVIEW_ROUTES: readonly ApiRoute[] = [
  routesOf('Service')('GET /v1/overview', {
    name: 'getOverview',
    summary: 'The first page of the console',
    description:
      'Everything in it is worked out at one moment, `asOf`, so that its figures add up; each is what `/v1/usage` answers at that moment. ' +
      'A snapshot: for a minute, and never past the end of the UTC day, the answer is the same. `figures.keys` needs read:keys as well.',
    access: withScope('read:usage'),
    sight: 'scoped',
    query: overviewParametersSchema,
    answer: ok('This month and the last.', overviewSchema),
    answers: TOO_MANY_WAIT,
    handle: (call) => {
      const { services, caller, query } = call
      const groupBy = query.group_by ?? 'model'
      requireFieldScope([groupBy], caller)
      const choice = {
        dimKey: query.dim_key ?? null,
        groupBy,
        hasKeys: hasScope(caller, 'read:keys'),
      }
      return answerQuestion(call, toQuestion(services, choice))
    },
  }),
]

function toQuestion(services: ApiServices, choice: OverviewChoice): KeptQuestion {
  return {
    name: JSON.stringify(['overview', choice.dimKey, choice.groupBy, choice.hasKeys]),
    compute: async (nowMs) => {
      const { questions, ledgerProgress, sight } = services
      const names = await readNames(services, [choice.groupBy])
      const read = await questions.readOverview(choice, names, nowMs)
      // What is older than two months, or was denied, is known to the tally alone.
      const hasOld = sight === null && (await ledgerProgress.readState()).tally.recorded > 0
      const hasCalls = read.has_calls || hasOld
      const overview = { ...read, has_calls: hasCalls }
      const keptMs = overview.has_calls ? KEPT_MS : KEPT_MS_WITHOUT_CALLS
      return { text: JSON.stringify(overview), keptMs }
    },
  }
}
