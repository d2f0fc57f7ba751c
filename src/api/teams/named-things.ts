// Teams and people as bodies and parameters name them: a team by id or slug, a person by id or
// address. Must stay true: what is stored is an id.

import type { Team } from '../../core/teams/team.ts'
import type { User } from '../../core/user.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { findTeam } from './team-directory.ts'
import type { KnownTeams } from './team-directory.ts'

/** `field` begins what is said where there is none; the same below. No value is repeated. */
export function requireTeam(known: KnownTeams, name: string, field: string): Team {
  const team = findTeam(known, name)
  if (team !== null) return team
  throw invalidParameter(`${field} is of no team that is there: GET /v1/teams lists them.`)
}

export async function requireUser(
  { users }: Pick<SettingsStore, 'users'>,
  name: string,
  field: string,
): Promise<User> {
  const isAddress = name.includes('@')
  const user = await users.find(isAddress ? { email: name.toLowerCase() } : { id: name })
  if (user !== null) return user
  throw invalidParameter(`${field} is of no user that is there: invite them first.`)
}
