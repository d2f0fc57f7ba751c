// weir sessions, weir sessions show and weir developers: what coding agents cost.

import type {
  AgentSession,
  AgentSessionDetail,
  AgentSessionPage,
  DeveloperList,
} from '../api/contract.ts'
import { SESSION_SORTS } from '../api/contract.ts'
import { apiCommand } from './api.ts'
import type { Api } from './api.ts'
import { option, REPEATED } from './command.ts'
import type { CommandInput, Commands, Shown } from './command.ts'
import { toPrintable } from './printable.ts'
import { readQuery, toOptions } from './query-options.ts'
import { formatRows } from './table.ts'
import { formatCount } from './usage/usage-amounts.ts'

const PATH = '/v1/agent-sessions'
const LIMIT = option('N', 'at most that many')

/** The filters of GET /v1/agent-sessions, by name. */
const FILTERS = {
  from: option('WHEN', 'only sessions that ran then or later (UTC; default: 30 days ago)'),
  to: option('WHEN', 'only sessions that began before then'),
  tool: option('T', 'only those of this coding agent', REPEATED),
  person: option('ID', "only those of this person's keys", REPEATED),
  api_key: option('ID', 'only those of this key', REPEATED),
  team: option('ID', 'only those booked to this team', REPEATED),
  repository: option('R', 'only those in this repository', REPEATED),
}
const LISTED = {
  ...FILTERS,
  sort: option(SESSION_SORTS.join('|'), 'what the list begins with (default: cost)'),
  limit: LIMIT,
  cursor: option('C', 'the next page, as the one before said'),
}
const DEVELOPERS = { ...FILTERS, limit: LIMIT }

export const commands: Commands = {
  sessions: apiCommand({
    scope: 'read:requests',
    options: toOptions(LISTED),
    run: list,
  }),
  'sessions show': apiCommand({
    scope: 'read:requests',
    arguments: ['ID'],
    options: { limit: option('N', 'at most that many calls') },
    subject: { noun: 'session', list: 'weir sessions' },
    run: show,
  }),
  developers: apiCommand({
    scope: 'read:requests',
    options: toOptions(DEVELOPERS),
    run: listDevelopers,
  }),
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const page = await api.get<AgentSessionPage>(PATH, readQuery(input, Object.keys(LISTED)))
  const { rows, sessions, total, next_cursor: next } = page
  if (rows.length === 0) return { json: page, text: 'No session on record matches.' }
  const table = formatRows(rows, {
    SESSION: ({ id }) => id,
    LAST: ({ last_at: at }) => `${at.slice(0, 19)}Z`,
    TOOL: ({ tool }) => tool ?? '-',
    WHO: toWho,
    MINUTES: ({ duration_ms: ms }) => String(Math.round(ms / 60_000)),
    CALLS: ({ requests }) => formatCount(requests),
    USD: ({ cost_usd: cost }) => cost,
    WASTED: toWasted,
  })
  const sum = `${formatCount(sessions)} ${sessions === 1 ? 'session' : 'sessions'}, together ${total.cost_usd} USD.`
  const more = next === null ? [] : [`More: --cursor ${next}`]
  return { json: page, text: [table, '', sum, ...more].join('\n') }
}

function toWho({ person, team, api_key: key }: AgentSession): string {
  return toPrintable(person ?? team ?? key)
}

/** `2 retries, 1 aborted` */
function toWasted({ retries, failed, aborted, denied }: AgentSession): string {
  const counts = { retried: retries.requests, failed: failed.requests, aborted: aborted.requests }
  const parts = Object.entries({ ...counts, denied }).filter(([, count]) => count > 0)
  return parts.length === 0 ? '-' : parts.map(([word, count]) => `${count} ${word}`).join(', ')
}

async function show(input: CommandInput, api: Api): Promise<Shown> {
  const id = encodeURIComponent(input.arguments[0] as string)
  const session = await api.get<AgentSessionDetail>(`${PATH}/${id}`, readQuery(input, ['limit']))
  const agents = formatRows(session.agents, {
    AGENT: ({ agent }) => agent ?? '(main)',
    PARENT: ({ parent_agent: parent }) => parent ?? '-',
    CALLS: ({ requests }) => formatCount(requests),
    USD: ({ cost_usd: cost }) => cost,
    CACHED: (agent) => toPercent(agent.cache_share),
  })
  const calls = formatRows(session.calls, {
    STARTED: ({ started_at: at }) => `${at.slice(0, 19)}Z`,
    ID: ({ id: call }) => call,
    AGENT: ({ agent }) => agent ?? '-',
    MODEL: ({ model }) => model ?? '-',
    STATUS: ({ status }) => status,
    USD: ({ cost_usd: cost }) => cost ?? '-',
  })
  const { requests, denied } = session
  const rest = requests + denied - session.calls.length
  const more = rest > 0 ? [`${formatCount(rest)} more; --limit shows up to 1000.`] : []
  const head = [
    `${toPrintable(session.tool ?? 'A tool')}, session ${toPrintable(session.session)} of ${toWho(session)}`,
    `${session.started_at.slice(0, 19)}Z to ${session.last_at.slice(0, 19)}Z`,
    `${formatCount(requests)} calls, ${session.cost_usd} USD; wasted: ${toWasted(session)}`,
  ]
  return { json: session, text: [...head, '', agents, '', calls, ...more].join('\n') }
}

function toPercent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 100)}%`
}

async function listDevelopers(input: CommandInput, api: Api): Promise<Shown> {
  const query = readQuery(input, Object.keys(DEVELOPERS))
  const answer = await api.get<DeveloperList>('/v1/developers', query)
  if (answer.rows.length === 0) return { json: answer, text: 'No session on record matches.' }
  const table = formatRows(answer.rows, {
    WHO: ({ person }) => person ?? '(no person)',
    TOOL: ({ tool }) => tool ?? '-',
    SESSIONS: ({ sessions }) => formatCount(sessions),
    'A DAY': (row) => String(row.sessions_per_day),
    USD: ({ cost_usd: cost }) => cost,
    P50: (row) => row.session_cost_p50_usd,
    P95: (row) => row.session_cost_p95_usd,
    LARGEST: (row) => row.largest_session,
  })
  const more = answer.other_rows === 0 ? [] : [`${answer.other_rows} more; --limit shows them.`]
  return { json: answer, text: [table, ...more].join('\n') }
}
