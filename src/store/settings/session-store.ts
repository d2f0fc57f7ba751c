// Sessions of users among the settings. Must stay true: a secret is kept as its hash only.

import type { Session, User } from '../../core/user.ts'

/** Per user; the oldest makes room. */
export const SESSIONS_MAX = 20
/** From the first use of a new secret: requests already under way with the old one still pass. */
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
  /** A newer secret was used already, within the grace. */
  readonly isOldSecret: boolean
}

export interface SessionStore {
  /** Also records the user's sign-in. */
  create(session: NewSession): Promise<CreatedSession>
  /**
   * Null if ended, expired, idle since `idleSinceMs`, user disabled or secret wrong. An old secret
   * is good until a newer one is used (its response may be lost). After the grace it ends the
   * session, as stolen.
   */
  find(credential: string, idleSinceMs: number): Promise<FoundSession | null>
  /** Null when another request has just done it. Throws if it must wait but `canWait` is false. */
  rotate(id: string, options?: { readonly canWait?: boolean }): Promise<CreatedSession | null>
  /** Accurate to the minute, as for tokens. */
  touch(id: string): Promise<void>
  /** False when there was none. */
  end(id: string): Promise<boolean>
  /** All users' sessions and sign-in links: a restore brings back those of the backup's time. */
  endAll(): Promise<void>
  /** Of one user, newest first; those that ended are gone. */
  list(userId: string): Promise<readonly Session[]>
}
