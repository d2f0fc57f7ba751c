// Users among the settings. Must stay true: a secret is kept as its hash only, and once there was
// an administrator who can sign in there always is one.

import type { OidcSubject, User, UserRole } from '../../core/user.ts'

export const USERS_MAX = 1000

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: UserRole
  readonly passwordHash: string | null
  readonly subject: OidcSubject | null
}

export type UserName =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly subject: OidcSubject }

export interface UserChange {
  readonly email?: string
  readonly name?: string
  readonly role?: UserRole
  readonly isDisabled?: boolean
  readonly subject?: OidcSubject
}

export interface UserLink {
  readonly user: User
  /** Shown once. */
  readonly code: string
  readonly expiresAt: number
}

/**
 * Throws WeirError `invalid_argument` for an address that is taken, and where no administrator
 * would be left.
 */
export interface UserStore {
  create(user: NewUser): Promise<User>
  /** By their age. */
  list(): Promise<readonly User[]>
  find(by: UserName): Promise<User | null>
  /**
   * Null when there is no such user; likewise below. Who is disabled or has another role loses all
   * sessions.
   */
  update(id: string, change: UserChange): Promise<User | null>
  /** Ends all sessions but the one named. */
  setPassword(id: string, passwordHash: string, exceptSession: string | null): Promise<User | null>
  /** With all sessions. The audit log keeps what they did. */
  remove(id: string): Promise<User | null>
  /** A one-time code by which the user sets a password; it takes the place of one given before. */
  createLink(id: string, validMs: number): Promise<UserLink | null>
  /**
   * Spends the code: the user, with the new password and without any older session; null when it is
   * wrong or over.
   */
  redeemLink(code: string, passwordHash: string): Promise<User | null>
}
