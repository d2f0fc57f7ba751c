// What the pages of teams ask, as the console asks it, each time about another team, by somebody
// who sees the company or by the team's lead.

import { toMonth } from '../../src/api/usage/windows.ts'

/** A team, and what the heads of its people's questions say. */
export interface AskedTeam {
  readonly number: number
  readonly id: string
  readonly keyIds: readonly string[]
  /** Who leads it, a token that is limited to it, and one of the company. */
  readonly headers: Readonly<Record<Who, string>>
}

export type Who = 'lead' | 'token' | 'company'

export interface TeamQuestion {
  readonly page: string
  readonly name: string
  readonly who: Who
  readonly draw: (team: AskedTeam) => string | Promise<string>
}

type Pairs = readonly (readonly [string, string])[]

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const PAGE_ROWS = 50
const BY_DAY = ['interval', 'day'] as const

export function listQuestions(teams: readonly AskedTeam[]): readonly TeamQuestion[] {
  const listed = ({ number }: AskedTeam): Pairs =>
    Array.from({ length: PAGE_ROWS }, (_, at) => {
      return ['filter', `team=${teams[(number + at) % teams.length]?.id ?? ''}`] as const
    })
  const list = { page: 'list of teams', who: 'company' } as const
  const explore = { page: "a lead's Explore", who: 'lead' } as const
  const explored = (name: string, ...pairs: Pairs): TeamQuestion => ({
    ...explore,
    name,
    draw: () => analyze(30, BY_DAY, ['limit', '20'], ...pairs),
  })
  return [
    ...listTeamPage('company'),
    ...listTeamPage('lead'),
    { ...list, name: 'teams', draw: () => `/v1/teams?limit=${PAGE_ROWS}` },
    { ...list, name: 'budgets', draw: () => '/v1/budgets' },
    {
      ...list,
      name: 'their days',
      draw: (team) => analyze(31, BY_DAY, ['limit', '50'], ['group_by', 'team'], ...listed(team)),
    },
    explored('30 days by model', ['group_by', 'model']),
    explored('30 days by key', ['group_by', 'api_key']),
    explored('by team and model', ['group_by', 'team'], ['group_by', 'model']),
    explored('by person, compared', ['group_by', 'person'], ['compare', 'previous']),
    { ...explore, name: 'its dimensions', draw: () => '/v1/overview' },
  ]
}

function listTeamPage(who: 'company' | 'lead'): readonly TeamQuestion[] {
  const page = `a team's page, ${who}`
  const of = ({ id }: AskedTeam) => ['filter', `team=${id}`] as const
  const largest = (field: string): TeamQuestion => ({
    page,
    who,
    name: `${field}s`,
    draw: (team) => analyze('month', ['limit', '10'], ['group_by', field], of(team)),
  })
  return [
    { page, who, name: 'the team', draw: ({ id }) => `/v1/teams/${id}` },
    {
      page,
      who,
      name: 'two months',
      draw: (team) => analyze(50, BY_DAY, ['limit', '1'], of(team)),
    },
    ...['model', 'api_key', 'person'].map(largest),
    { page, who, name: 'keys', draw: ({ id }) => `/v1/keys?team=${id}&limit=${PAGE_ROWS}` },
    {
      page,
      who,
      name: "keys' days",
      draw: ({ keyIds }) => {
        const keys = keyIds.map((id) => ['filter', `api_key=${id}`] as const)
        return analyze(30, BY_DAY, ['limit', '50'], ['group_by', 'api_key'], ...keys)
      },
    },
    { page, who, name: 'people', draw: ({ id }) => `/v1/teams/${id}/members` },
    { page, who, name: 'budgets', draw: () => '/v1/budgets' },
  ]
}

/** From the start of a day, or of this month, to the end of this hour. */
function analyze(days: number | 'month', ...pairs: Pairs): string {
  const nowMs = Date.now()
  const from =
    days === 'month'
      ? `${toMonth(nowMs)}-01`
      : new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const to = new Date(Math.ceil(nowMs / HOUR_MS) * HOUR_MS).toISOString()
  const search = new URLSearchParams({ from, to, order_by: 'cost' })
  for (const [name, value] of pairs) search.append(name, value)
  return `/v1/analysis?${search.toString()}`
}
