// Whoever asks the API: a program with an access token, or somebody who has signed in to the console. Must stay true: one
// set of scopes decides for both what they may do.

import type { TokenScope } from './api-key.ts'
import type { Actor } from './user.ts'

export interface Caller {
  readonly kind: 'token' | 'session'
  /** Of the token or the session, without its secret. */
  readonly id: string
  /** A token's name; the email address of who has signed in. */
  readonly name: string
  /** Who has signed in; null for a token. */
  readonly userId: string | null
  readonly scopes: readonly TokenScope[]
}

/** In whose name a change is written down. */
export function toActor({ kind, id, name, userId }: Caller): Actor {
  return kind === 'token' ? { kind: 'token', id, name } : { kind: 'user', id: userId, name }
}
