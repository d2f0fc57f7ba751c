// An ask for more: a member wants more than a limit of theirs, and a lead says yes or no. Must stay
// true: it is decided once, and stays readable.

import type { Money } from '../money.ts'

/** More of a budget, which an approval gives; or of another limit, which is text. */
export const ASK_KINDS = ['budget', 'limit'] as const
export type AskKind = (typeof ASK_KINDS)[number]

/** Closed: withdrawn, or the person has left. */
export const ASK_STATUSES = ['open', 'approved', 'declined', 'closed'] as const
export type AskStatus = (typeof ASK_STATUSES)[number]

export const ASK_NOTE_CHARS_MAX = 500
/** Of one person. */
export const ASKS_OPEN_MAX = 5
/** With those that are decided; the oldest of these make room. */
export const ASKS_KEPT_MAX = 10_000

export interface NewAsk {
  readonly teamId: string
  readonly personId: string
  readonly email: string
  readonly kind: AskKind
  readonly keyId: string | null
  /** The budget whose limit is asked to be the amount; both null for another limit. */
  readonly budgetId: string | null
  readonly amount: Money | null
  readonly note: string | null
}

export interface Ask extends NewAsk {
  /** `ask_…` */
  readonly id: string
  readonly status: AskStatus
  readonly createdAt: number
  readonly decidedAt: number | null
  /** The name of whoever did: an address. */
  readonly decidedBy: string | null
  readonly answer: string | null
  /** The limit that was given. */
  readonly granted: Money | null
}

export interface AskDecision {
  readonly status: Exclude<AskStatus, 'open'>
  readonly answer: string | null
  readonly granted: Money | null
}
