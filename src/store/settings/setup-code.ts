// The one-time code with which the first administrator is created.

import type { User } from '../../core/user.ts'
import type { NewUser } from './user-store.ts'

export interface SetupCode {
  /** Null when a code was ever created, or there is an administrator. */
  create(): Promise<string | null>
  /** Whether the code can still be used. It is useless once an administrator can sign in. */
  isOpen(): Promise<boolean>
  /** Whether it is this code, and can still be used. */
  isRight(code: string): Promise<boolean>
  /** Spends the code for the first administrator; null when it is wrong or already spent. */
  redeem(code: string, user: NewUser): Promise<User | null>
}
