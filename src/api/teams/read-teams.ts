// Teams and their members with what is counted of them, all from memory but the members' names.

import type { z } from 'zod'
import type { Budget } from '../../core/budget.ts'
import type { Team } from '../../core/teams/team.ts'
import type { ApiServices } from '../api-options.ts'
import { readBudgetsOfKeys } from '../budgets/budgets-of-keys.ts'
import { TEAMS_LIMIT_DEFAULT } from './team-contract.ts'
import type { MemberRow, TeamAnswer, TeamPage, teamParametersSchema } from './team-contract.ts'
import { toWords } from './team-directory.ts'
import { groupByTeam, toMemberRow, toTeamAnswer, toTeamRow } from './team-row.ts'

export async function readTeamPage(
  { status, search, limit = TEAMS_LIMIT_DEFAULT, cursor }: z.output<typeof teamParametersSchema>,
  services: ApiServices,
): Promise<TeamPage> {
  const known = await services.teamDirectory.read()
  const keys = groupByTeam(await services.keyDirectory.read())
  const sought = search?.toLowerCase() ?? ''
  const all = known.teams.filter(
    (team) =>
      (status === undefined || (status === 'active') === (team.archivedAt === null)) &&
      toWords(team).includes(sought),
  )
  const from = Number(cursor ?? 0)
  const to = from + limit
  return {
    rows: all.slice(from, to).map((team) => toTeamRow(team, known, keys)),
    total: all.length,
    next_cursor: to < all.length ? String(to) : null,
  }
}

export async function readTeamAnswer(team: Team, services: ApiServices): Promise<TeamAnswer> {
  const known = await services.teamDirectory.read()
  const keys = groupByTeam(await services.keyDirectory.read())
  const rule = await findKeyBudget(team, services)
  return toTeamAnswer(team, { known, keys, rule, nowMs: services.clock.now() })
}

/** Members know it, too: it is a limit of the team like the others. */
export async function findKeyBudget(
  { id }: Team,
  services: Pick<ApiServices, 'settings' | 'everyBudget'>,
): Promise<Budget | null> {
  const { all } = await readBudgetsOfKeys(services)
  return all.find(({ defaultOf }) => defaultOf === id) ?? null
}

export async function readMembers(team: Team, services: ApiServices): Promise<MemberRow[]> {
  const keys = groupByTeam(await services.keyDirectory.read())
  const members = await services.settings.teams.listMembers(team.id)
  return members.map((member) => toMemberRow(member, keys))
}
