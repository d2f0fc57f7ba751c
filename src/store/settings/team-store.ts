// Teams and memberships among the settings. A team is archived, never removed: its calls and keys
// refer to it for ever.

import type { Member, MemberRole, MemberSource, Membership, Team } from '../../core/teams/team.ts'
import type { TeamSettings } from '../../core/teams/team.ts'
import type { Expected } from './changed-meanwhile.ts'

export type TeamName = { readonly id: string } | { readonly slug: string }

export interface NewMembership {
  readonly teamId: string
  readonly userId: string
  readonly role: MemberRole
  readonly source: MemberSource
}

export interface TeamChanges {
  /** To be passed to the next call. */
  readonly revision: number
  /** All teams and all memberships; null where nothing changed. */
  readonly all: { readonly teams: readonly Team[]; readonly members: readonly Membership[] } | null
}

/**
 * Throws `invalid_argument` for a slug that is taken, a parent that is no department, and an
 * archived team that is to get members; `ChangedMeanwhile` at another version than the expected.
 */
export interface TeamStore {
  create(settings: TeamSettings): Promise<Team>
  /** By name; archived ones, too. */
  list(): Promise<readonly Team[]>
  find(by: TeamName): Promise<Team | null>
  /** Null when there is no such team; the same below. */
  update(id: string, change: Partial<TeamSettings>, expected?: Expected): Promise<Team | null>
  /** Ends memberships. Archiving twice keeps the first moment. */
  archive(id: string, expected?: Expected): Promise<Team | null>
  restore(id: string, expected?: Expected): Promise<Team | null>
  /** Leads first, then by address; of users who are there. */
  listMembers(teamId: string): Promise<readonly Member[]>
  listMemberships(userId: string): Promise<readonly Membership[]>
  /** The same membership again changes its role. */
  join(member: NewMembership): Promise<Membership>
  /** Null where there was none. */
  leave(teamId: string, userId: string): Promise<Membership | null>
  /** What one source says of a user's teams: memberships of that source are these from now on. */
  replaceMemberships(
    userId: string,
    source: Exclude<MemberSource, 'hand'>,
    teams: ReadonlyMap<string, MemberRole>,
  ): Promise<void>
  /** Everything since a revision; 0 for all. Polled, so it is cheap when nothing changed. */
  readChanges(revision: number): Promise<TeamChanges>
}
