// All teams in memory, and who is in them. Must stay true: the next read sees every change.

import type { Membership, Team } from '../../core/teams/team.ts'
import { follow } from '../../store/settings/follow.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { TeamChanges } from '../../store/settings/team-store.ts'
import { compareText } from '../compare-text.ts'

export interface KnownTeams {
  /** By name; archived ones, too. */
  readonly teams: readonly Team[]
  readonly byId: ReadonlyMap<string, Team>
  readonly bySlug: ReadonlyMap<string, Team>
  /** By the team's id. */
  readonly members: ReadonlyMap<string, readonly Membership[]>
}

export interface TeamDirectory {
  read(): Promise<KnownTeams>
}

const NOTHING: KnownTeams = { teams: [], byId: new Map(), bySlug: new Map(), members: new Map() }

export function createTeamDirectory(settings: Pick<SettingsStore, 'teams'>): TeamDirectory {
  let known = NOTHING
  const look = follow<TeamChanges>({
    readChanges: (revision) => settings.teams.readChanges(revision),
    none: 0,
    take: ({ all }) => {
      if (all !== null) known = arrange(all)
    },
  })
  let last: Promise<KnownTeams> = Promise.resolve(NOTHING)
  const read = async (): Promise<KnownTeams> => {
    await look()
    return known
  }
  // In sequence: an earlier read must not overwrite a later one.
  return { read: () => (last = last.then(read, read)) }
}

function arrange({ teams, members }: NonNullable<TeamChanges['all']>): KnownTeams {
  return {
    teams: teams.toSorted((one, other) => compareText(toWords(one), toWords(other))),
    byId: new Map(teams.map((team) => [team.id, team])),
    bySlug: new Map(teams.map((team) => [team.slug, team])),
    members: Map.groupBy(members, ({ teamId }) => teamId),
  }
}

/** Name, short name and id in lower case: for order and search. */
export function toWords({ name, slug, id }: Team): string {
  return [name, slug, id].join('\n').toLowerCase()
}

/** By id or slug: no slug looks like an id. */
export function findTeam({ byId, bySlug }: KnownTeams, name: string): Team | null {
  return byId.get(name) ?? bySlug.get(name.toLowerCase()) ?? null
}

export function findMembership(
  { members }: KnownTeams,
  teamId: string,
  userId: string | null,
): Membership | null {
  return members.get(teamId)?.find((each) => each.userId === userId) ?? null
}
