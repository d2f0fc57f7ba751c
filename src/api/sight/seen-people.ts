// Teams, their members, users and saved views through a sight. Must stay true: other teams are not
// there, and neither are people who are in none of the same.

import { seesTeam } from '../../core/teams/sight.ts'
import type { Sight } from '../../core/teams/sight.ts'
import type { Membership, Team } from '../../core/teams/team.ts'
import type { TeamStore } from '../../store/settings/team-store.ts'
import type { UserStore } from '../../store/settings/user-store.ts'
import type { SavedView, ViewStore } from '../../store/settings/view-store.ts'
import { notFound } from '../route-answers.ts'
import { onlyWith } from './only-with.ts'
import { notTheirs } from './seen-keys.ts'
import type { TeamDirectory } from '../teams/team-directory.ts'

/** A department is seen by who leads it, or is in it. */
function toSeen(team: Team, sight: Sight): Team {
  const isSeen = team.parentId === null || seesTeam(sight, team.parentId)
  return isSeen ? team : { ...team, parentId: null }
}

/** Members know whom to ask. */
function canSeeMember(sight: Sight, { teamId, userId, role }: Omit<Membership, 'since'>): boolean {
  if (sight.teams.includes(teamId)) return true
  return sight.joined.includes(teamId) && (role === 'lead' || userId === sight.personId)
}

export function seeTeamDirectory(directory: TeamDirectory, sight: Sight): TeamDirectory {
  return {
    async read() {
      const known = await directory.read()
      const teams = known.teams
        .filter(({ id }) => seesTeam(sight, id))
        .map((team) => toSeen(team, sight))
      const membersOf = (id: string): readonly Membership[] =>
        (known.members.get(id) ?? []).filter((each) => canSeeMember(sight, each))
      return {
        teams,
        byId: new Map(teams.map((team) => [team.id, team])),
        bySlug: new Map(teams.map((team) => [team.slug, team])),
        members: new Map(teams.map(({ id }) => [id, membersOf(id)])),
      }
    },
  }
}

export function seeTeams(teams: TeamStore, sight: Sight): TeamStore {
  const isLed = (id: string): boolean => sight.teams.includes(id)
  return onlyWith({
    list: async () =>
      (await teams.list())
        .filter(({ id }) => seesTeam(sight, id))
        .map((team) => toSeen(team, sight)),
    async find(by) {
      const team = await teams.find(by)
      return team !== null && seesTeam(sight, team.id) ? toSeen(team, sight) : null
    },
    listMembers: async (teamId) =>
      (await teams.listMembers(teamId)).filter((member) => canSeeMember(sight, member)),
    listMemberships: async (userId) =>
      (await teams.listMemberships(userId)).filter((member) => canSeeMember(sight, member)),
    async join(member) {
      if (isLed(member.teamId)) return teams.join(member)
      throw seesTeam(sight, member.teamId) ? notTheirs() : notFound({ noun: 'team' })
    },
    async leave(teamId, userId) {
      if (isLed(teamId)) return teams.leave(teamId, userId)
      if (seesTeam(sight, teamId)) throw notTheirs()
      return null
    },
  })
}

export function seeUsers(users: UserStore, sight: Sight, directory: TeamDirectory): UserStore {
  async function createFilter(): Promise<(user: { readonly id: string }) => boolean> {
    const members = [...(await directory.read()).members.values()].flat()
    const seen = members.filter((each) => canSeeMember(sight, each)).map(({ userId }) => userId)
    const ids = new Set([...seen, sight.personId])
    return ({ id }) => ids.has(id)
  }
  return onlyWith({
    list: async () => (await users.list()).filter(await createFilter()),
    async find(by) {
      const user = await users.find(by)
      // Whom leads take into their team, they know by address.
      if ('email' in by && sight.teams.length > 0) return user
      return user !== null && (await createFilter())(user) ? user : null
    },
  })
}

/** Their own: a view has the names of what it is about. */
export function seeViews(views: ViewStore, { personId }: Sight): ViewStore {
  const isOwn = ({ userId }: Pick<SavedView, 'userId'>): boolean => userId === personId
  async function find(id: string): Promise<SavedView | null> {
    const view = await views.find(id)
    return view !== null && isOwn(view) ? view : null
  }
  return {
    async create(userId, settings) {
      if (!isOwn({ userId })) throw notTheirs()
      return views.create(userId, settings)
    },
    list: async () => (personId === null ? [] : (await views.list(personId)).filter(isOwn)),
    find,
    update: async (id, change) => ((await find(id)) === null ? null : views.update(id, change)),
    remove: async (id) => ((await find(id)) === null ? null : views.remove(id)),
  }
}
