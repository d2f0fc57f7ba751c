// The contract for sessions of coding agents and for those who run them, seen through contract.ts.
// It is only ever added to.

import { z } from 'zod'
import { boolean, count, number, string, time } from '../answer-members.ts'
import {
  FILTER_VALUES_MAX,
  integer,
  keyIdParameter,
  moment,
  named,
  oneOf,
  pageCursor,
  personIdParameter,
  several,
  teamIdParameter,
  valueText,
} from '../parameter-schemas.ts'
import { requestRowSchema } from '../requests/request-contract.ts'

export const SESSIONS_LIMIT_MAX = 1000
export const SESSIONS_LIMIT_DEFAULT = 50
export const SESSION_CALLS_MAX = 1000
export const SESSION_CALLS_DEFAULT = 100
export const SESSION_DAYS_DEFAULT = 30
export const SESSION_SORTS = ['cost', 'last', 'calls', 'duration'] as const
export const AGENT_SESSION_EXAMPLE = 'c3ZjX2tfNGYxZDJjM2I0YTU5Njg3NyAwYjFlN2M1Mg'

const filter = <Value extends z.ZodType>(name: string, value: Value) =>
  several(name, value, FILTER_VALUES_MAX)
const ANY_OF = 'Given several times, any of the values matches.'

export const sessionFilterSchema = z.strictObject({
  from: moment('from').meta({
    type: 'string',
    description: `Sessions that ran at this moment or later, UTC. Left out: ${SESSION_DAYS_DEFAULT} days before to.`,
  }),
  to: moment('to').meta({
    type: 'string',
    description: 'Sessions that began before this moment. Left out: now.',
  }),
  tool: filter('tool', valueText('tool')).describe(`Of this coding agent. ${ANY_OF}`),
  person: filter('person', personIdParameter).describe(`Of this person's keys. ${ANY_OF}`),
  api_key: filter('api_key', keyIdParameter.unwrap()).describe(`Of this key. ${ANY_OF}`),
  team: filter('team', teamIdParameter).describe(`Booked to this team. ${ANY_OF}`),
  repository: filter('repository', valueText('repository')).describe(
    `In this repository. ${ANY_OF}`,
  ),
})

export const sessionParametersSchema = z.strictObject({
  ...sessionFilterSchema.shape,
  sort: z
    .enum(SESSION_SORTS, oneOf('sort', SESSION_SORTS))
    .optional()
    .meta({ default: 'cost' })
    .describe('The most expensive, the latest, those with the most calls or the longest first.'),
  limit: integer('limit', { max: SESSIONS_LIMIT_MAX, preset: SESSIONS_LIMIT_DEFAULT }).describe(
    'The most rows of a page.',
  ),
  cursor: pageCursor(/^[A-Za-z0-9_-]{1,4096}$/).describe(
    'The next_cursor of a page; all else but limit must be as it was for that page.',
  ),
})

export const oneSessionParametersSchema = z.strictObject({
  limit: integer('limit', { max: SESSION_CALLS_MAX, preset: SESSION_CALLS_DEFAULT }).describe(
    'The most calls that are listed, from the first.',
  ),
})

const usd = (description: string) => string(description, '0.00738')

/** Of some calls. */
const figures = {
  requests: count('Forwarded calls.'),
  cost_usd: usd('What they cost, exact.'),
}

const part = (description: string) => z.object(figures).describe(description)

export const agentSessionSchema = named('AgentSession', {
  id: string('Names the key and the session; no other has it.', AGENT_SESSION_EXAMPLE),
  session: string('As the tool names it; the session parameter of GET /v1/requests.'),
  api_key: string('The id of its key, to which it belongs.'),
  team_id: string.orNull('What its last call was booked to.'),
  team: string.orNull('The name of that team, as it is now.', 'Search'),
  person_id: string.orNull('The person whose key it was; null for a service’s.'),
  person: string.orNull('Their address; without scope read:keys, their id.', 'ada@example.com'),
  tool: string.orNull('As its last call says, which is the word of the caller.', 'claude-code'),
  tool_version: string.orNull('The whole of it.', '2.1.197'),
  repository: string.orNull('Where the work was done.'),
  started_at: time('When its first call began, UTC.'),
  last_at: time('When its last call ended so far.'),
  duration_ms: count('Between the two.'),
  ...figures,
  market_cost_usd: usd('What they would have cost at list price.'),
  tokens: count('Input and output.'),
  unpriced: count('Calls whose cost is not known.'),
  subagents: part('Of these, the calls of subagents.'),
  retries: part('Of these, requests that the tool had sent before and that went well.'),
  failed: part('Of these, calls that the provider refused or broke off.'),
  aborted: part('Of these, calls that the tool left before their end.'),
  denied: count('Calls that Weir denied, which are in no other figure and cost nothing.'),
})

export const agentSessionPageSchema = named('AgentSessionPage', {
  as_of: time('When they were read, UTC.'),
  from: time(),
  to: time('Exclusive.'),
  rows: z
    .array(agentSessionSchema)
    .describe('In the order of sort. Figures are of whole sessions.'),
  sessions: count('How many there are on all pages.'),
  total: z.object({ ...figures, tokens: count() }).describe('Of all of them, on whatever page.'),
  next_cursor: string.orNull('To be sent as cursor for the next page; null on the last.'),
})

const tokens = {
  input_tokens: count('All input tokens.'),
  cache_read_tokens: count('Of these, read from a cache.'),
  cache_write_tokens: count('Of these, written to one.'),
  output_tokens: count('All output tokens.'),
  reasoning_tokens: count('Of these, reasoning.'),
  cache_share: number.orNull('Of the input tokens, how many were read from a cache: 0 to 1.', 0.82),
}

export const sessionAgentSchema = named('SessionAgent', {
  agent: string.orNull('Null: the main agent.'),
  parent_agent: string.orNull('Who started it; null for the main agent, or where it is not said.'),
  ...figures,
  ...tokens,
  denied: count('Calls that Weir denied.'),
  started_at: time('When its first call began.'),
  last_at: time('When its last call ended.'),
})

export const sessionStepSchema = named('SessionStep', {
  start: time('A step has the calls that ended in it.'),
  ...figures,
  ...tokens,
  cost_so_far_usd: usd('What the session had cost by its end.'),
})

export const agentSessionDetailSchema = named('AgentSessionDetail', {
  ...agentSessionSchema.shape,
  as_of: time('When it was read, UTC.'),
  agents: z.array(sessionAgentSchema).describe('The tree of agents, each after its parent.'),
  step_ms: count('How long a step is.'),
  steps: z.array(sessionStepSchema).describe('Oldest first, only those with calls.'),
  is_complete: boolean(
    'False where there are too many calls to look at all: agents and steps are of the first ones.',
  ),
  calls: z
    .array(requestRowSchema)
    .describe('Oldest first, as many as limit. All: GET /v1/requests with api_key and session.'),
})

export const developerRowSchema = named('Developer', {
  person_id: string.orNull('Null: keys of no person.'),
  person: string.orNull('Their address; without scope read:keys, their id.', 'ada@example.com'),
  tool: string.orNull('The coding agent.', 'claude-code'),
  sessions: count('How many.'),
  sessions_per_day: number('Of the days of the span, up to now.', 3.2),
  ...figures,
  tokens: count('Input and output.'),
  session_cost_p50_usd: usd('Half of the sessions cost no more.'),
  session_cost_p95_usd: usd('Of twenty sessions, nineteen cost no more.'),
  largest_session: string('The id of the one that cost most.', AGENT_SESSION_EXAMPLE),
  largest_session_cost_usd: usd('What it cost.'),
})

export const developerListSchema = named('DeveloperList', {
  as_of: time('When they were read, UTC.'),
  from: time(),
  to: time('Exclusive.'),
  rows: z
    .array(developerRowSchema)
    .describe('A row for each person and tool, the most expensive first.'),
  other_rows: count('Rows beyond limit.'),
})

export const developerParametersSchema = z.strictObject({
  ...sessionFilterSchema.shape,
  limit: integer('limit', { max: SESSIONS_LIMIT_MAX, preset: SESSIONS_LIMIT_DEFAULT }).describe(
    'The most rows.',
  ),
})

export type AgentSession = z.infer<typeof agentSessionSchema>
export type AgentSessionPage = z.infer<typeof agentSessionPageSchema>
export type SessionAgent = z.infer<typeof sessionAgentSchema>
export type SessionStep = z.infer<typeof sessionStepSchema>
export type AgentSessionDetail = z.infer<typeof agentSessionDetailSchema>
export type DeveloperRow = z.infer<typeof developerRowSchema>
export type DeveloperList = z.infer<typeof developerListSchema>
