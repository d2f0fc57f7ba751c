// Asks for more than a limit. What is told of one is put on its way with it, or neither is.

import type { AddressedAlert } from '../../core/alert.ts'
import type { Ask, AskDecision, AskStatus, NewAsk } from '../../core/asks/ask.ts'

export type ToAlert = (ask: Ask) => AddressedAlert

export interface AskStore {
  /** Throws `invalid_argument` for a person who has too many open ones. */
  create(ask: NewAsk, toAlert: ToAlert): Promise<Ask>
  /** Newest first. */
  list(only?: { readonly status?: AskStatus | undefined }): Promise<readonly Ask[]>
  /** Null when there is none; the same below. */
  find(id: string): Promise<Ask | null>
  /** Throws `invalid_argument` for one that is decided. */
  decide(id: string, decision: AskDecision, toAlert: ToAlert): Promise<Ask | null>
}
