// Who sees which teams, and may change what of them. Must stay true: whoever has a sight learns of
// nothing that it does not name, and an unknown kind of thing is not seen.

import type { Spender } from '../alerts/incident.ts'
import type { ApiKey, TokenScope } from '../api-key.ts'
import type { Budget, BudgetScope } from '../budget.ts'
import { PERSON_FACT, splitFacts, TEAM_FACT } from './team.ts'
import type { Membership, Team } from './team.ts'

/** Whose calls are seen: all of these teams, and those of the person's keys in whatever team. */
export interface CallSight {
  readonly teams: readonly string[]
  readonly personId: string | null
}

/** Of a person who leads the `teams`, or of a token that is limited to one. */
export interface Sight extends CallSight {
  /** In which the person makes personal keys. */
  readonly joined: readonly string[]
  /** Those joined that show their members what they spend. */
  readonly totals: readonly string[]
}

/** Of a caller: null sees the whole company. */
export type CallerSight = Sight | null

const READ = ['read:usage', 'read:keys', 'read:requests'] as const
const LEAD_SCOPES: readonly TokenScope[] = [...READ, 'write:keys', 'write:budgets']
const MEMBER_SCOPES: readonly TokenScope[] = [...READ, 'write:keys']

/** What a person may do in their teams; nothing without one. */
export function scopesOf({ teams, joined }: Sight): readonly TokenScope[] {
  if (teams.length > 0) return LEAD_SCOPES
  return joined.length > 0 ? MEMBER_SCOPES : []
}

type KnownTeam = Pick<Team, 'id' | 'parentId' | 'membersSeeTotals'>

/** Who leads a department leads its teams. */
export function sightOfUser(
  userId: string,
  memberships: readonly Pick<Membership, 'teamId' | 'role'>[],
  teams: readonly KnownTeam[],
): Sight {
  const of = (role: Membership['role']): ReadonlySet<string> =>
    new Set(memberships.filter((each) => each.role === role).map(({ teamId }) => teamId))
  const [led, member] = [of('lead'), of('member')]
  const isLed = ({ id, parentId }: KnownTeam): boolean =>
    led.has(id) || (parentId !== null && led.has(parentId))
  const joined = teams.filter((team) => member.has(team.id) && !isLed(team))
  return {
    teams: toIds(teams.filter(isLed)),
    joined: toIds(joined),
    totals: toIds(joined.filter(({ membersSeeTotals }) => membersSeeTotals)),
    personId: userId,
  }
}

/** In one order, as the same sights are to have the same answers. */
function toIds(teams: readonly KnownTeam[]): readonly string[] {
  return teams.map(({ id }) => id).toSorted()
}

/** Of a token that is limited to a team: what its leads see, without the teams of a department. */
export function sightOfTeam(teamId: string): Sight {
  return { teams: [teamId], joined: [], totals: [], personId: null }
}

export function seesTeam({ teams, joined }: Sight, teamId: string): boolean {
  return teams.includes(teamId) || joined.includes(teamId)
}

/** What all of a team's calls come to: no call, no key and nobody of them. */
export function canSeeTotals({ teams, totals }: Sight, teamId: string): boolean {
  return teams.includes(teamId) || totals.includes(teamId)
}

function isSelf({ personId }: CallSight, other: string | null): boolean {
  return personId !== null && other === personId
}

type OwnedKey = Pick<ApiKey, 'teamId' | 'personId'>

/** A key of theirs, or of a team of theirs, as it is now. */
export function canSeeKey(sight: CallSight, { teamId, personId }: OwnedKey): boolean {
  return (teamId !== null && sight.teams.includes(teamId)) || isSelf(sight, personId)
}

/** Also whether a key may come to be so. */
export function canChangeKey(sight: Sight, { teamId, personId }: OwnedKey): boolean {
  if (teamId === null) return false
  return sight.teams.includes(teamId) || (sight.joined.includes(teamId) && isSelf(sight, personId))
}

/** By what the call was booked to: a key that moved away leaves its calls behind. */
export function canSeeCall(sight: CallSight, recorded: Readonly<Record<string, string>>): boolean {
  return canSeeKey(sight, splitFacts(recorded))
}

/** Null for a key that is not there. */
export type FindKey = (id: string) => OwnedKey | null

/** Whether all spend that a budget of this scope counts may be known. */
export function canSeeScope(sight: Sight, scope: BudgetScope, findKey: FindKey): boolean {
  switch (scope.kind) {
    case 'api_key': {
      const key = findKey(scope.keyId)
      return key !== null && canSeeKey(sight, key)
    }
    case 'dim':
      return canSeeFact(sight, scope.key, scope.value)
    // These count calls of every team.
    case 'global':
    case 'provider':
    case 'model':
      return false
  }
}

function canSeeFact(sight: Sight, name: string, value: string): boolean {
  if (name === PERSON_FACT) return isSelf(sight, value)
  return name === TEAM_FACT && canSeeTotals(sight, value)
}

/**
 * What a budget has of calls that may be known. Whose counter it is decides of a counter, and of a
 * rule, which tells what each of a team spends, whether the team is led.
 */
export function canSeeBudget(
  sight: Sight,
  { scope, each, member }: Pick<Budget, 'scope' | 'each' | 'member'>,
  findKey: FindKey,
): boolean {
  if (member === undefined) {
    return canSeeScope(each === 'none' ? sight : { ...sight, totals: [] }, scope, findKey)
  }
  if (each === 'key') return canSeeScope(sight, { kind: 'api_key', keyId: member }, findKey)
  return canSeeFact(sight, each === 'team' ? TEAM_FACT : PERSON_FACT, member)
}

/** What stops a whole team is set for it: its leads live within it. */
export function canChangeBudget(
  { teams }: Sight,
  {
    scope,
    isBlocking,
    each,
    defaultOf,
  }: Pick<Budget, 'scope' | 'isBlocking' | 'each' | 'defaultOf'>,
  findKey: FindKey,
): boolean {
  if (defaultOf !== undefined) return false
  if (scope.kind === 'api_key') {
    const teamId = findKey(scope.keyId)?.teamId ?? null
    return teamId !== null && teams.includes(teamId)
  }
  const isOfTeam = scope.kind === 'dim' && scope.key === TEAM_FACT && teams.includes(scope.value)
  return isOfTeam && (!isBlocking || each === 'key' || each === 'person')
}

/** Of unusual spend: a key of theirs, or a team. A model or a tag has calls of every team. */
export function canSeeSpender(sight: Sight, { kind, name }: Spender, findKey: FindKey): boolean {
  if (kind === 'api_key') return canSeeScope(sight, { kind, keyId: name }, findKey)
  if (kind !== 'dim') return false
  const at = name.indexOf('=')
  return at > 0 && canSeeFact(sight, name.slice(0, at), name.slice(at + 1))
}
