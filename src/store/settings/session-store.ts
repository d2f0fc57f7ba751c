// Sessions of users among the settings. Must stay true: a secret is kept as its hash only.

import type { Session, User } from '../../core/user.ts'

/** Of one user; the oldest makes room. */
export const SESSIONS_MAX = 20
/**
 * From the first use of a new secret: with the old one the browser's requests that were under way
 * still pass.
 */
export const ROTATION_GRACE_MS = 60_000

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
   * Null when it ended, expired, was idle since before `idleSinceMs`, its user is disabled or the
   * secret is wrong. An old secret stays good until a newer one is used: the answer with that one
   * may have been lost. Longer than the grace after it was stolen or kept: the session ends.
   */
  find(credential: string, idleSinceMs: number): Promise<FoundSession | null>
  /** Null when another request has just done it. Throws where it would have to wait and may not. */
  rotate(id: string, options?: { readonly canWait?: boolean }): Promise<CreatedSession | null>
  /** Kept to the minute, as for tokens. */
  touch(id: string): Promise<void>
  /** False when there was none. */
  end(id: string): Promise<boolean>
  /**
   * All users' sessions, and the links by which one could be begun. After a restore, those of the
   * backup's time are back.
   */
  endAll(): Promise<void>
  /** Of one user, newest first; those that ended are gone. */
  list(userId: string): Promise<readonly Session[]>
}
