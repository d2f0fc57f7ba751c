// Users among the settings. Only the hash of a secret is stored, and once an administrator can sign
// in there always is one.

import type { Expected } from './changed-meanwhile.ts'
import type { OidcSubject, Provisioned, User, UserRole } from '../../core/user.ts'

export const USERS_MAX = 10_000

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: UserRole
  readonly passwordHash: string | null
  readonly subject: OidcSubject | null
  readonly provisioned?: Provisioned | null
}

export type UserName =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly subject: OidcSubject }
  /** The directory's name for them, or the address where it has taken them on under none. */
  | { readonly userName: string }
  | { readonly externalId: string }

export interface UserChange {
  readonly email?: string
  readonly name?: string
  readonly role?: UserRole
  readonly isDisabled?: boolean
  readonly subject?: OidcSubject
  readonly provisioned?: Provisioned
  readonly unknownGroups?: readonly string[]
}

export interface UserLink {
  readonly user: User
  /** Shown once. */
  readonly code: string
  readonly expiresAt: number
}

/**
 * Throws `invalid_argument` for a taken address or name, or if no administrator would be left, and
 * `ChangedMeanwhile` at another version than the expected.
 */
export interface UserStore {
  create(user: NewUser): Promise<User>
  /** Oldest first. */
  list(): Promise<readonly User[]>
  find(by: UserName): Promise<User | null>
  /** Null if there is no such user; the same below. Disabling or a new role ends all sessions. */
  update(id: string, change: UserChange, expected?: Expected): Promise<User | null>
  /** Ends all sessions but the one named. */
  setPassword(id: string, passwordHash: string, exceptSession: string | null): Promise<User | null>
  /** Ends all sessions too. The audit log keeps the user's actions. */
  remove(id: string, expected?: Expected): Promise<User | null>
  /** A one-time code for setting a password; it replaces an earlier one. */
  createLink(id: string, validMs: number): Promise<UserLink | null>
  /** Whether the code could be redeemed now: it is cheap to ask, and changes nothing. */
  isLinkOpen(code: string): Promise<boolean>
  /** Spends the code, sets the password, ends older sessions. Null: the code is wrong or over. */
  redeemLink(code: string, passwordHash: string): Promise<User | null>
}
