// The request log over HTTP. Paging gives every call that was there at the start, and none twice.

import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error } from '../route-answers.ts'
import { toCompletenessAnswer } from './completeness.ts'
import { readRequest } from './read-request.ts'
import {
  completenessSchema,
  requestDetailSchema,
  requestPageSchema,
  requestParametersSchema,
} from './request-contract.ts'
import { formatCursor } from './request-cursor.ts'
import {
  COMPLETENESS_EXAMPLE,
  REQUEST_DETAIL_EXAMPLE,
  REQUEST_EXAMPLE,
} from './request-examples.ts'
import { toRequestRow } from './request-row.ts'
import { toRequestQuery } from './to-request-query.ts'

const defineRoute = routesOf('Requests')

export const REQUEST_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/requests', {
    name: 'listRequests',
    summary: 'The request log, newest first',
    description:
      'Pages follow each other by next_cursor until it is null. A page may have fewer rows than limit, even none, and still have a next one: only so many calls are looked at for each.',
    access: withScope('read:requests'),
    query: requestParametersSchema,
    answer: ok('A page of calls.', requestPageSchema, {
      rows: [REQUEST_EXAMPLE],
      next_cursor: 'AZzxoHweejudL0tqjA4fI3qLmNxSoG9R4wTzKQ',
    }),
    handle: async ({ services, query }) => {
      const { filter, before, rowsMax } = toRequestQuery(query)
      const { records, next } = await services.usage.requests.list(filter, { before, rowsMax })
      const next_cursor = next === null ? null : formatCursor(next, filter)
      return { rows: records.map(toRequestRow), next_cursor }
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
