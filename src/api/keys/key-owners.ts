// Whose a key is: its team and its person, by id, and that it stays within what the team allows.
// Must stay true: no key is made or moved into an archived team, and a personal key of a team is of
// someone in it.

import { keyStatusOf } from '../../core/api-key.ts'
import type { ApiKey } from '../../core/api-key.ts'
import type { Team } from '../../core/teams/team.ts'
import { KEY_CODEC } from '../../resources/codecs.ts'
import type { ApiServices } from '../api-options.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { requireTeam, requireUser } from '../teams/named-things.ts'
import { findMembership } from '../teams/team-directory.ts'
import type { KnownTeams } from '../teams/team-directory.ts'
import type { KeyChangeBody, NewKeyBody } from './key-contract.ts'
import { listChangeFaults, listLimitFaults, toLimitWarning, withTeamLimits } from './team-limits.ts'
import type { LimitFault } from './team-limits.ts'

type Sources = Pick<ApiServices, 'teamDirectory' | 'settings' | 'clock'>
type Named = Pick<KeyChangeBody, 'team_id' | 'person_id'>
type Owners = Pick<ApiKey, 'teamId' | 'personId'>

/** The body with ids, and with the limits of its team; throws `invalid_parameter`, as below. */
export async function toOwnedKey<Given extends Omit<NewKeyBody, 'budget'>>(
  given: Given,
  sources: Sources,
): Promise<Given> {
  const known = await sources.teamDirectory.read()
  const named = { ...given, ...(await toIds(given, known, sources)) }
  const owners = { teamId: named.team_id ?? null, personId: named.person_id ?? null }
  const team = requireOpen(owners, known)
  if (team === null) return named
  const nowMs = sources.clock.now()
  const limited = withTeamLimits(named, team, nowMs)
  refuse(listLimitFaults(team, KEY_CODEC.fromNew(limited), nowMs))
  return limited
}

export async function toOwnedChange<Given extends KeyChangeBody>(
  given: Given,
  before: ApiKey,
  sources: Sources,
): Promise<Given> {
  const known = await sources.teamDirectory.read()
  const change = { ...given, ...(await toIds(given, known, sources)) }
  const after = { ...before, ...KEY_CODEC.fromWire(change) }
  const isMoved = after.teamId !== before.teamId
  if (isMoved || after.personId !== before.personId) requireOpen(after, known, isMoved)
  const team = known.byId.get(after.teamId ?? '')
  if (team === undefined) return change
  const nowMs = sources.clock.now()
  const move = { before, after, named: Object.keys(given) }
  refuse(isMoved ? listLimitFaults(team, after, nowMs) : listChangeFaults(team, move, nowMs))
  return change
}

/** What its team no longer allows, in sentences, of a key that can call. */
export function listLimitWarnings(key: ApiKey, known: KnownTeams, nowMs: number): string[] {
  const team = known.byId.get(key.teamId ?? '')
  const status = keyStatusOf(key, nowMs)
  if (team === undefined || status === 'revoked' || status === 'expired') return []
  return listLimitFaults(team, key, nowMs).map(toLimitWarning)
}

async function toIds(
  { team_id: team, person_id: person }: Named,
  known: KnownTeams,
  { settings }: Sources,
) {
  return {
    ...(team != null && { team_id: requireTeam(known, team, 'team_id').id }),
    ...(person != null && { person_id: (await requireUser(settings, person, 'person_id')).id }),
  }
}

/** The team of a key that comes to be these owners'. */
function requireOpen({ teamId, personId }: Owners, known: KnownTeams, isNew = true): Team | null {
  const team = known.byId.get(teamId ?? '') ?? null
  if (team === null) return null
  if (isNew && team.archivedAt !== null) {
    throw invalidParameter(`team_id: The team ${team.name} is archived. Restore it first.`)
  }
  if (personId !== null && findMembership(known, team.id, personId) === null) {
    throw invalidParameter(`person_id: They are not in the team ${team.name}. Add them first.`)
  }
  return team
}

function refuse(faults: readonly LimitFault[]): void {
  if (faults.length === 0) return
  throw invalidParameter(faults.map(({ field, text }) => `${field}: ${text}`).join(' '))
}
