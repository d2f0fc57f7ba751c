// Groups of the company's directory, as it keeps them here by SCIM. They are its own: what they
// give in Weir are memberships of teams, which whoever changes a group brings in line with it.

import type { Expected } from './changed-meanwhile.ts'

export const GROUPS_MAX = 5000

export interface GroupSettings {
  readonly name: string
  /** What the directory calls it. */
  readonly externalId: string | null
  /** Users' ids, without order. */
  readonly memberIds: readonly string[]
}

export interface DirectoryGroup extends GroupSettings {
  /** `group_…` */
  readonly id: string
  readonly createdAt: number
  /** Rises with every change, of members too. */
  readonly version: number
}

/**
 * Throws `invalid_argument` for a member who is no user, `ChangedMeanwhile` at another version than
 * the expected.
 */
export interface GroupStore {
  create(settings: GroupSettings): Promise<DirectoryGroup>
  /** Oldest first. */
  list(): Promise<readonly DirectoryGroup[]>
  /** Without the members. */
  listOf(userId: string): Promise<readonly Omit<DirectoryGroup, 'memberIds'>[]>
  find(id: string): Promise<DirectoryGroup | null>
  /** Null if there is no such group; the same below. */
  update(id: string, settings: GroupSettings, expected?: Expected): Promise<DirectoryGroup | null>
  remove(id: string, expected?: Expected): Promise<DirectoryGroup | null>
}
