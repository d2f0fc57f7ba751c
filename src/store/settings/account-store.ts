// Users, their sessions and the audit log, part of the settings. Must stay true: a secret is kept as its hash alone,
// there is always an administrator who can sign in once there was one, and every change to the settings is in the
// audit log, written in the transaction of the change itself.

import type {
  AuditEntry,
  NewAuditEntry,
  OidcSubject,
  Session,
  User,
  UserRole,
} from '../../core/user.ts'

export const USERS_MAX = 1000
/** Of one user; the oldest makes room. */
export const SESSIONS_MAX = 20
/** From the first use of a new secret: with the old one the browser's requests that were under way still pass. */
export const ROTATION_GRACE_MS = 60_000

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

/** Throws WeirError `invalid_argument` for an address that is taken, and where no administrator would be left. */
export interface UserStore {
  create(user: NewUser): Promise<User>
  /** By their age. */
  list(): Promise<readonly User[]>
  find(by: UserName): Promise<User | null>
  /** Null when there is no such user; likewise below. Who is disabled or has another role loses all sessions. */
  update(id: string, change: UserChange): Promise<User | null>
  /** Ends all sessions but the one named. */
  setPassword(id: string, passwordHash: string, exceptSession: string | null): Promise<User | null>
  /** With all sessions. The audit log keeps what they did. */
  remove(id: string): Promise<User | null>
  /** A one-time code by which the user sets a password; it takes the place of one given before. */
  createLink(id: string, validMs: number): Promise<UserLink | null>
  /** Spends the code: the user, with the new password and without any older session; null when it is wrong or over. */
  redeemLink(code: string, passwordHash: string): Promise<User | null>
}

export interface NewSession {
  readonly userId: string
  readonly expiresAt: number
  readonly agent: string | null
  readonly address: string | null
}

export interface CreatedSession {
  readonly session: Session
  /** `session_….secret` */
  readonly credential: string
}

export interface FoundSession {
  readonly session: Session
  readonly user: User
  /** A newer secret has been used already, within the grace. */
  readonly isOldSecret: boolean
}

export interface SessionStore {
  /** Notes the user's sign-in. */
  create(session: NewSession): Promise<CreatedSession>
  /**
   * Null when it ended, expired, was idle since before `idleSinceMs`, its user is disabled or the secret is wrong. An
   * old secret stays good until a newer one is used: the answer with that one may have been lost. Longer than the
   * grace after it was stolen or kept: the session ends.
   */
  find(credential: string, idleSinceMs: number): Promise<FoundSession | null>
  /** Null when another request has just done it. Throws where it would have to wait and may not. */
  rotate(id: string, options?: { readonly canWait?: boolean }): Promise<CreatedSession | null>
  /** Kept to the minute, as for tokens. */
  touch(id: string): Promise<void>
  /** False when there was none. */
  end(id: string): Promise<boolean>
  /** Everybody's, and the links by which one could be begun. After a restore, those of the backup's time are back. */
  endAll(): Promise<void>
  /** Of one user, newest first; those that ended are gone. */
  list(userId: string): Promise<readonly Session[]>
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Null when there are no more. */
  readonly next: number | null
}

export interface AuditFilter {
  /** `key` for all actions `key.…`; null for all. */
  readonly noun: string | null
  readonly actorId: string | null
  readonly subjectId: string | null
}

export interface AuditStore {
  /** For what changes nothing in the settings: a sign-in, a repricing. */
  add(entry: NewAuditEntry): Promise<void>
  /** Newest first, below the number `before` (null: from the newest). */
  list(
    filter: AuditFilter,
    page: { readonly before: number | null; readonly rowsMax: number },
  ): Promise<AuditPage>
}
