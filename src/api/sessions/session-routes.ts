// Sessions of coding agents and those who run them, over HTTP. They are read where long questions
// are: there may be many.

import type { Context } from 'hono'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { readFactNames } from '../known-names.ts'
import { LOG_ACCESS, LOG_RATE } from '../requests/request-routes.ts'
import { RATE_HEADERS } from '../usage/usage-routes.ts'
import {
  developerListSchema,
  developerParametersSchema,
  oneSessionParametersSchema,
  SESSION_CALLS_DEFAULT,
  AGENT_SESSION_EXAMPLE,
  agentSessionDetailSchema,
  agentSessionPageSchema,
  sessionParametersSchema,
  SESSIONS_LIMIT_DEFAULT,
} from './session-contract.ts'
import { parseSessionId, toSessionQuery, toSessionQuestion } from './session-query.ts'

const defineRoute = routesOf('Sessions')
const SESSION = {
  noun: 'session',
  description: 'As GET /v1/agent-sessions has it.',
  example: AGENT_SESSION_EXAMPLE,
}
const SHARED = { access: LOG_ACCESS, sight: 'scoped' } as const

export const AGENT_SESSION_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/agent-sessions', {
    name: 'listAgentSessions',
    summary: 'Sessions of coding agents, the most expensive first unless sort says otherwise',
    description:
      'Those that ran between from and to; their figures are of whole sessions. Pages follow each other by next_cursor until it is null. ' +
      LOG_RATE,
    ...SHARED,
    query: sessionParametersSchema,
    answer: { ...ok('A page of sessions.', agentSessionPageSchema), headers: RATE_HEADERS },
    handle: async ({ context, services, caller, query }) => {
      const nowMs = services.clock.now()
      const asked = toSessionQuery(query, nowMs)
      const names = await readFactNames(services, caller)
      return toJson(context, await services.questions.writeSessions(asked, names, nowMs))
    },
  }),
  defineRoute('GET /v1/agent-sessions/{id}', {
    name: 'getAgentSession',
    summary: 'One session: its calls, its agents, and its cost as it grew',
    description: LOG_RATE,
    ...SHARED,
    id: SESSION,
    query: oneSessionParametersSchema,
    answer: { ...ok('The session.', agentSessionDetailSchema), headers: RATE_HEADERS },
    handle: async ({ context, services, caller, id, query, missing }) => {
      const key = parseSessionId(id) ?? missing()
      const asked = { key, callsMax: query.limit ?? SESSION_CALLS_DEFAULT }
      const names = await readFactNames(services, caller)
      const nowMs = services.clock.now()
      const text = await services.questions.writeSession(asked, names, nowMs)
      return toJson(context, text ?? missing())
    },
  }),
  defineRoute('GET /v1/developers', {
    name: 'listDevelopers',
    summary: 'What each person spends with each coding agent, and what a session costs',
    description: `Of the sessions that GET /v1/agent-sessions has between from and to. ${LOG_RATE}`,
    ...SHARED,
    query: developerParametersSchema,
    answer: { ...ok('People and tools.', developerListSchema), headers: RATE_HEADERS },
    handle: async ({ context, services, caller, query }) => {
      const { limit = SESSIONS_LIMIT_DEFAULT, ...filter } = query
      const nowMs = services.clock.now()
      const asked = { question: toSessionQuestion(filter, nowMs), rowsMax: limit }
      const names = await readFactNames(services, caller)
      return toJson(context, await services.questions.writeDevelopers(asked, names, nowMs))
    },
  }),
]

function toJson(context: Context, text: string): Response {
  return context.body(text, 200, { 'Content-Type': 'application/json' })
}
