// The request log over HTTP. Paging gives every call that was there at the start, and none twice.

import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toIso } from '../iso-time.ts'
import { error } from '../route-answers.ts'
import { toCompletenessAnswer } from './completeness.ts'
import { readRequest } from './read-request.ts'
import { readRequestPage } from './read-request-page.ts'
import {
  completenessSchema,
  requestDetailSchema,
  requestPageSchema,
  requestSummarySchema,
} from './request-contract.ts'
import { requestFilterSchema, requestParametersSchema } from './request-filter-contract.ts'
import { formatCursor } from './request-cursor.ts'
import {
  COMPLETENESS_EXAMPLE,
  REQUEST_DETAIL_EXAMPLE,
  REQUEST_EXAMPLE,
  REQUEST_SUMMARY_EXAMPLE,
} from './request-examples.ts'
import { toRequestRow } from './request-row.ts'
import { toRequestSummary } from './request-summary.ts'
import { toRequestFilter, toRequestQuery } from './to-request-query.ts'

const defineRoute = routesOf('Requests')

export const REQUEST_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/requests', {
    name: 'listRequests',
    summary: 'The request log, newest first unless sort says otherwise',
    description:
      'Pages follow each other by next_cursor until it is null. A page may have fewer rows than limit, even none, and still have a next one: only so many calls are looked at for each.',
    access: withScope('read:requests'),
    query: requestParametersSchema,
    answer: ok('A page of calls.', requestPageSchema, {
      rows: [REQUEST_EXAMPLE],
      next_cursor: 'AZzxoHweejudL0tqjA4fI3qLmNxSoG9R4wTzKQ',
    }),
    handle: async ({ services, query }) => {
      const asked = toRequestQuery(query)
      const { usage, clock } = services
      const { records, next } = await readRequestPage(usage.requests, asked, clock.now())
      const next_cursor = next === null ? null : formatCursor(next, asked)
      return { rows: records.map(toRequestRow), next_cursor }
    },
  }),
  defineRoute('GET /v1/requests/summary', {
    name: 'summarizeRequests',
    summary: 'How many calls match the filters of the request log, and what they cost',
    description:
      'Of a span of time, the figures are those of GET /v1/usage. Only so many calls are looked at, the newest first: is_complete says whether that was all of them.',
    access: withScope('read:requests'),
    query: requestFilterSchema,
    answer: ok('Their number and cost.', requestSummarySchema, REQUEST_SUMMARY_EXAMPLE),
    handle: async ({ services, query }) => {
      const as_of = toIso(services.clock.now())
      const summary = await services.usage.requests.summarize(toRequestFilter(query))
      return { as_of, ...toRequestSummary(summary) }
    },
  }),
  defineRoute('GET /v1/requests/{id}', {
    name: 'getRequest',
    summary: 'One call and how its cost came about',
    description:
      'The cost is explained by the rates that were stored with the call; differs says where sources have other figures for them.',
    access: withScope('read:requests'),
    id: { description: 'As X-SVC-Request-Id said to the caller.', example: REQUEST_EXAMPLE.id },
    answer: ok('The call.', requestDetailSchema, REQUEST_DETAIL_EXAMPLE),
    answers: {
      404: error('`not_found`: there is no record of such a request.', {
        error:
          'There is no record of such a request. Its id is what X-SVC-Request-Id said; a call is on record shortly after its end.',
        code: 'not_found',
      }),
    },
    handle: ({ services, id }) => readRequest(id, services),
  }),
  defineRoute('GET /v1/completeness', {
    name: 'getCompleteness',
    summary: 'Whether every call that was forwarded is on record',
    description: 'While there is traffic, some calls are always pending; lost is to be 0 always.',
    access: withScope('read:usage'),
    answer: ok('The figures over all times.', completenessSchema, COMPLETENESS_EXAMPLE),
    handle: async ({ services }) => {
      const nowMs = services.clock.now()
      return toCompletenessAnswer(await services.completeness(), nowMs)
    },
  }),
]
