// The request log over HTTP. Paging gives every call that was there at the start, and none twice.

import type { Caller } from '../../core/caller.ts'
import { formatMoney } from '../../core/money.ts'
import { unauthorized, withScope } from '../access.ts'
import type { Access } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toIso } from '../iso-time.ts'
import { readFactNames } from '../known-names.ts'
import { withRatedScope } from '../rated-access.ts'
import { error, INVALID } from '../route-answers.ts'
import { REQUESTS_PER_MINUTE_MAX } from '../usage/usage-contract.ts'
import { ASKED_TOO_OFTEN, RATE_HEADERS, withRateHeaders } from '../usage/usage-routes.ts'
import { toCompletenessAnswer } from './completeness.ts'
import { readRequest } from './read-request.ts'
import {
  completenessSchema,
  REQUEST_ID_EXAMPLE,
  requestDetailSchema,
  requestPageSchema,
  requestSummarySchema,
} from './request-contract.ts'
import { requestFilterSchema, requestParametersSchema } from './request-filter-contract.ts'
import { toRequestFilter, toRequestQuery } from './to-request-query.ts'

const defineRoute = routesOf('Requests')

const SCOPE = 'read:requests'
/** Counted apart from questions about usage, by the same limit. */
export const LOG_ACCESS: Access<Caller> = {
  ...withRatedScope(SCOPE, ({ logRateLimit }) => logRateLimit),
  faults: (method) => ({
    ...withRateHeaders({ ...INVALID, ...withScope(SCOPE).faults(method) }),
    // Who asks is not known then.
    ...unauthorized(SCOPE),
    ...ASKED_TOO_OFTEN,
  }),
}
export const LOG_RATE = `A token may ask ${REQUESTS_PER_MINUTE_MAX} times a minute for pages and summaries, whatever the result.`

export const REQUEST_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/requests', {
    name: 'listRequests',
    summary: 'The request log, newest first unless sort says otherwise',
    description:
      'Pages follow each other by next_cursor until it is null. A page may have fewer rows than limit, even none, and still have a next one: only so many calls are looked at for each. ' +
      LOG_RATE,
    access: LOG_ACCESS,
    sight: 'scoped',
    query: requestParametersSchema,
    answer: { ...ok('A page of calls.', requestPageSchema), headers: RATE_HEADERS },
    handle: async ({ context, services, caller, query }) => {
      const { questions, clock } = services
      const asked = toRequestQuery(query)
      const names = await readFactNames(services, caller)
      const text = await questions.writeRequestPage(asked, names, clock.now())
      return context.body(text, 200, { 'Content-Type': 'application/json' })
    },
  }),
  defineRoute('GET /v1/requests/summary', {
    name: 'summarizeRequests',
    summary: 'How many calls match the filters of the request log, and what they cost',
    description:
      'Of a span of time, the figures are those of GET /v1/usage. Only so many calls are looked at, the newest first: is_complete says whether that was all of them. ' +
      LOG_RATE,
    access: LOG_ACCESS,
    sight: 'scoped',
    query: requestFilterSchema,
    answer: { ...ok('Their number and cost.', requestSummarySchema), headers: RATE_HEADERS },
    handle: async ({ services, query }) => {
      const as_of = toIso(services.clock.now())
      const { cost, isComplete, ...counts } = await services.usage.requests.summarize(
        toRequestFilter(query),
      )
      const requests = counts.calls - counts.denied
      return { as_of, ...counts, requests, cost_usd: formatMoney(cost), is_complete: isComplete }
    },
  }),
  defineRoute('GET /v1/requests/{id}', {
    name: 'getRequest',
    summary: 'One call and how its cost came about',
    description:
      'The cost is explained by the rates that were stored with the call; differs says where sources have other figures for them.',
    access: withScope(SCOPE),
    sight: 'scoped',
    id: { description: 'As X-SVC-Request-Id said to the caller.', example: REQUEST_ID_EXAMPLE },
    answer: ok('The call.', requestDetailSchema),
    answers: {
      404: error('`not_found`: there is no record of such a request.', {
        error:
          'There is no record of such a request. Its id is what X-SVC-Request-Id said; a call is on record shortly after its end.',
        code: 'not_found',
      }),
    },
    handle: async ({ services, caller, id }) =>
      readRequest(id, { ...services, names: await readFactNames(services, caller) }),
  }),
  defineRoute('GET /v1/completeness', {
    name: 'getCompleteness',
    summary: 'Whether every call that was forwarded is on record',
    description: 'While there is traffic, some calls are always pending; lost is to be 0 always.',
    access: withScope('read:usage'),
    sight: 'company',
    answer: ok('The figures over all times.', completenessSchema),
    handle: async ({ services }) => {
      const nowMs = services.clock.now()
      return toCompletenessAnswer(await services.completeness(), nowMs)
    },
  }),
]
