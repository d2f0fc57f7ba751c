// A caller of the API: a program with an access token, or a user who is signed in to the console.
// One set of scopes decides what both may do.

import type { TokenScope } from './api-key.ts'
import type { Actor } from './user.ts'

export interface Caller {
  readonly kind: 'token' | 'session'
  /** Of the token or the session, without its secret. */
  readonly id: string
  /** A token's name, or the user's email address. */
  readonly name: string
  /** The signed-in user; null for a token. */
  readonly userId: string | null
  readonly scopes: readonly TokenScope[]
}

/** Who a change is attributed to. */
export function toActor({ kind, id, name, userId }: Caller): Actor {
  return kind === 'token' ? { kind: 'token', id, name } : { kind: 'user', id: userId, name }
}
