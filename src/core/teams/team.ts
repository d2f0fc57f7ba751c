// Teams, who is in them, and whose a call is. A team and the person of a personal key are facts of
// a call: the proxy puts them among its dimensions, under names that no caller can give. Must stay
// true: what a call was booked to stays when its key moves, when the team is renamed or archived.

import { AGENT_FACTS } from '../agents/call-agent.ts'

/** No caller's dimension begins so (DIM_KEY). */
export const TEAM_FACT = '@team'
export const PERSON_FACT = '@person'

/** Their names in questions, filters and scopes. */
export const OWNERS = { team: TEAM_FACT, person: PERSON_FACT } as const
export type OwnerName = keyof typeof OWNERS
export const OWNER_NAMES = Object.keys(OWNERS) as readonly OwnerName[]
/** All facts of a call. What a tool says of itself is the caller's word: it decides nothing. */
export const FACTS = { ...OWNERS, ...AGENT_FACTS } as const
export type FactName = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[]

/** Null of a dimension that callers give, and of what a tool says of itself. */
export function ownerNameOf(dim: string): OwnerName | null {
  return OWNER_NAMES.find((name) => OWNERS[name] === dim) ?? null
}

/** Null of a dimension that callers give. */
export function factNameOf(dim: string): FactName | null {
  return FACT_NAMES.find((name) => FACTS[name] === dim) ?? null
}

export const TEAMS_MAX = 2000
export const TEAM_ID = /^team_[0-9a-f]{16}$/
export const PERSON_ID = /^user_[0-9a-f]{16}$/
/** In addresses and on the command line; unlike its name it holds no blanks. */
export const TEAM_SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/
export const KEY_DAYS_MAX = 3650

/** The limits are for keys that are made or changed from now on: a key has what it was given. */
export interface TeamSettings {
  readonly name: string
  readonly slug: string
  /** Its department, which is a team without one. */
  readonly parentId: string | null
  readonly costCenter: string | null
  readonly note: string | null
  /** What its keys may be allowed at most; empty means everything. */
  readonly allowedModels: readonly string[]
  readonly allowedProviders: readonly string[]
  /** Providers whose stored credential its keys may use; empty means none. */
  readonly useCredentials: readonly string[]
  /** What each of its keys requires of a call. */
  readonly requiredDims: readonly string[]
  /** Calls a minute of one key. */
  readonly rateLimitRpm: number | null
  /** How long a key may last. */
  readonly keyDaysMax: number | null
  /** Members see the budgets of the team and what it spends, and not only their own keys. */
  readonly membersSeeTotals: boolean
}

export interface Team extends TeamSettings {
  /** `team_…` */
  readonly id: string
  readonly createdAt: number
  /** Its keys go on, and its calls keep its name; no key is made or moved there. */
  readonly archivedAt: number | null
  /** Rises with every change. */
  readonly version: number
}

export const MEMBER_ROLES = ['lead', 'member'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** By hand, or by whom it is kept in step: what one gave, the other does not take. */
export const MEMBER_SOURCES = ['hand', 'oidc', 'scim'] as const
export type MemberSource = (typeof MEMBER_SOURCES)[number]

export interface Membership {
  readonly teamId: string
  readonly userId: string
  readonly role: MemberRole
  readonly source: MemberSource
  readonly since: number
}

/** A membership with its person. */
export interface Member extends Membership {
  readonly email: string
  readonly name: string
  readonly isDisabled: boolean
}

type Dims = Readonly<Record<string, string>>

export interface CallFacts {
  readonly teamId: string | null
  readonly personId: string | null
  readonly tool: string | null
  readonly toolVersion: string | null
  readonly agentKind: string | null
  readonly repository: string | null
  /** What the caller and the key said. */
  readonly dims: Dims
}

/** Of a call's dimensions, as they are recorded. */
export function splitFacts(recorded: Dims): CallFacts {
  const { [TEAM_FACT]: teamId = null, [PERSON_FACT]: personId = null, ...others } = recorded
  const { [FACTS.tool]: tool = null, [FACTS.tool_version]: toolVersion = null, ...rest } = others
  const { [FACTS.agent_kind]: agentKind = null, [FACTS.repository]: repository = null } = rest
  const { [FACTS.agent_kind]: _, [FACTS.repository]: __, ...dims } = rest
  return { teamId, personId, tool, toolVersion, agentKind, repository, dims }
}

/** Of a key's calls: to be recorded with their dimensions. */
export function factsOf({
  teamId,
  personId,
}: {
  readonly teamId: string | null
  readonly personId: string | null
}): Dims {
  return {
    ...(teamId !== null && { [TEAM_FACT]: teamId }),
    ...(personId !== null && { [PERSON_FACT]: personId }),
  }
}
