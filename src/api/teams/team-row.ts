// A team and its members as they are shown, with what is counted of them.

import type { ApiKey } from '../../core/api-key.ts'
import type { Budget } from '../../core/budget.ts'
import type { Member, Team } from '../../core/teams/team.ts'
import { BUDGET_CODEC, TEAM_CODEC } from '../../resources/codecs.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import type { KnownKeys } from '../keys/key-directory.ts'
import { listLimitWarnings } from '../keys/key-owners.ts'
import type { MemberRow, TeamAnswer, TeamRow } from './team-contract.ts'
import type { KnownTeams } from './team-directory.ts'

/** By the team's id; without those that are revoked. */
export type TeamKeys = ReadonlyMap<string, readonly ApiKey[]>

export function groupByTeam({ byId }: KnownKeys): TeamKeys {
  const groups = new Map<string, ApiKey[]>()
  for (const { key } of byId.values()) {
    if (key.teamId === null || key.revokedAt !== null) continue
    const group = groups.get(key.teamId)
    if (group === undefined) groups.set(key.teamId, [key])
    else group.push(key)
  }
  return groups
}

export function toTeamRow(team: Team, known: KnownTeams, keys: TeamKeys): TeamRow {
  const members = known.members.get(team.id) ?? []
  return {
    id: team.id,
    ...TEAM_CODEC.toAnswer(team),
    parent: (team.parentId && known.byId.get(team.parentId)?.name) ?? null,
    status: team.archivedAt === null ? 'active' : 'archived',
    created_at: toIso(team.createdAt),
    archived_at: toIsoOrNull(team.archivedAt),
    keys: keys.get(team.id)?.length ?? 0,
    members: members.length,
    leads: members.filter(({ role }) => role === 'lead').length,
    version: team.version,
  }
}

interface TeamFacts {
  readonly known: KnownTeams
  readonly keys: TeamKeys
  /** The budget that it gives each of its keys. */
  readonly rule: Budget | null
  readonly nowMs: number
}

export function toTeamAnswer(team: Team, { known, keys, rule, nowMs }: TeamFacts): TeamAnswer {
  const beyond = (keys.get(team.id) ?? []).filter(
    (key) => listLimitWarnings(key, known, nowMs).length > 0,
  )
  return {
    ...toTeamRow(team, known, keys),
    keys_beyond_limits: beyond.length,
    key_budget: rule === null ? null : toKeyBudget(rule),
  }
}

function toKeyBudget(rule: Budget): TeamAnswer['key_budget'] {
  const { limit_usd, period, blocking } = BUDGET_CODEC.toAnswer(rule)
  return { limit_usd, period, blocking, budget_id: rule.id }
}

export function toMemberRow(member: Member, keys: TeamKeys): MemberRow {
  const { teamId, userId, email, name, role, source, since, isDisabled } = member
  const own = keys.get(teamId)?.filter(({ personId }) => personId === userId) ?? []
  return {
    user_id: userId,
    email,
    name,
    role,
    source,
    since: toIso(since),
    is_disabled: isDisabled,
    keys: own.length,
  }
}
