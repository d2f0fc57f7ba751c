// A caller of the API: a program with an access token, a user signed in to the console, or a
// command on the machine itself. One set of scopes decides what each may do.

import type { TokenScope } from './api-key.ts'
import type { CallerSight } from './teams/sight.ts'
import type { Actor } from './user.ts'

export interface Caller {
  readonly kind: 'token' | 'session' | 'command'
  readonly id: string
  /** A token's name, the email address of the console's user, or the name of the system's. */
  readonly name: string
  /** Null but for a session. */
  readonly userId: string | null
  readonly scopes: readonly TokenScope[]
  /** Within which the scopes hold; null: of the whole company. */
  readonly sight: CallerSight
}

export function toActor({ kind, id, name, userId }: Caller): Actor {
  switch (kind) {
    case 'token':
      return { kind: 'token', id, name }
    case 'session':
      return { kind: 'user', id: userId, name }
    case 'command':
      return { kind: 'command', id: null, name }
  }
}
