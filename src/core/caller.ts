// A caller of the API: a program with an access token, or a user signed in to the console. One set
// of scopes decides what both may do.

import type { TokenScope } from './api-key.ts'
import type { Actor } from './user.ts'

export interface Caller {
  readonly kind: 'token' | 'session'
  readonly id: string
  /** A token's name, or the user's email address. */
  readonly name: string
  /** Null for a token. */
  readonly userId: string | null
  readonly scopes: readonly TokenScope[]
}

export function toActor({ kind, id, name, userId }: Caller): Actor {
  return kind === 'token' ? { kind: 'token', id, name } : { kind: 'user', id: userId, name }
}
