// Teams: pages of them, one of them, who is in it, and what can be done with one.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type {
  MemberList,
  MemberRow,
  NewMemberBody,
  NewTeamBody,
  TeamAnswer,
  TeamChangeBody,
  TeamPage,
  TeamSpend,
} from '../../../src/api/contract.ts'
import { ask, toOne, toPath } from './api-client.ts'
import type { TeamsSearch } from './page-search.ts'
import { pagesQuery, readQuery, useChange } from './queries.ts'
import { USERS_KEY } from './query-client.ts'

const TEAMS = '/v1/teams'
const TEAMS_KEY = ['teams'] as const
const KEYS_KEY = ['keys'] as const
/** As many as one question of figures may name. */
const PAGE_ROWS = 50
const FOUND_MAX = 20
const NAMES_MAX = 1000
const SPEND_STALE_MS = 60_000
const NAMES_STALE_MS = 60_000

export function teamsQuery({ search, status }: TeamsSearch) {
  const question = { search, status, limit: PAGE_ROWS }
  return pagesQuery<TeamPage>([...TEAMS_KEY, 'pages'], { path: TEAMS, ...question })
}

/** Its page. */
export function toTeamHref(id: string): string {
  return `/teams/${encodeURIComponent(id)}`
}

export function teamQuery(id: string) {
  return readQuery<TeamAnswer>([...TEAMS_KEY, 'one', id], toOne(TEAMS, id))
}

/** Those that keys can be made in, whose name or id contains the text. */
export function teamSearchQuery(search: string) {
  const path = toPath(TEAMS, { search, status: 'active', limit: FOUND_MAX })
  const key = [...TEAMS_KEY, 'search', search]
  const query = readQuery<TeamPage>(key, path, { staleTime: NAMES_STALE_MS })
  return { ...query, placeholderData: keepPreviousData }
}

/** By id, for what knows teams by their ids; archived ones, too. */
export function useTeamNames(isWanted = true): ReadonlyMap<string, string> {
  const path = toPath(TEAMS, { limit: NAMES_MAX })
  const query = readQuery<TeamPage>([...TEAMS_KEY, 'names'], path, { staleTime: NAMES_STALE_MS })
  const { data } = useQuery({ ...query, enabled: isWanted })
  return new Map(data?.rows.map(({ id, name }) => [id, name]))
}

/** The totals of one team, of one moment. */
export function teamSpendQuery(id: string) {
  const again = { refetchInterval: SPEND_STALE_MS }
  return readQuery<TeamSpend>([...TEAMS_KEY, 'spend', id], toOne(TEAMS, id, 'spend'), again)
}

export function membersQuery(teamId: string) {
  return readQuery<MemberList>([...TEAMS_KEY, 'members', teamId], toOne(TEAMS, teamId, 'members'))
}

export const useCreateTeam = () =>
  useTeamChange((body: NewTeamBody) => ask<TeamAnswer>(TEAMS, { method: 'POST', body }))

/** Each at the version that its editor saw. */
export const useChangeTeam = (id: string) =>
  useTeamChange(({ body, version }: { readonly body: TeamChangeBody; readonly version: number }) =>
    ask<TeamAnswer>(toOne(TEAMS, id), { method: 'PATCH', body, version }),
  )

export const useActOnTeam = (id: string, act: 'archive' | 'restore') =>
  useTeamChange((version: number) =>
    ask<TeamAnswer>(toOne(TEAMS, id, act), { method: 'POST', version }),
  )

/** Whoever is in it already gets the role. */
export const useAddMember = (teamId: string) =>
  useTeamChange((body: NewMemberBody) =>
    ask<MemberRow>(toOne(TEAMS, teamId, 'members'), { method: 'POST', body }),
  )

export const useRemoveMember = (teamId: string) =>
  useTeamChange((userId: string) =>
    ask<MemberRow>(toOne(TEAMS, teamId, 'members/remove'), {
      method: 'POST',
      body: { user_id: userId },
    }),
  )

/** Lists of keys have the names of their teams, and that of users the teams of each. */
function useTeamChange<Change, Answer>(change: (change: Change) => Promise<Answer>) {
  return useChange(change, TEAMS_KEY, KEYS_KEY, USERS_KEY)
}
