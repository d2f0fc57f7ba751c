// Messages between workers and the limit bank, in plain values: they travel between processes.

import type { LimitedBudget, LimiterMessage, ReservationAnswer } from './limit-bank.ts'

export interface LimitConnection {
  /** `isUrgent` sends now, not with the rest of this turn. False where there is no limit bank. */
  send(message: LimiterMessage, isUrgent: boolean): boolean
  /** What came before is passed on at once. */
  listen(listener: LimitListener): void
}

export interface LimitListener {
  answered(answers: readonly ReservationAnswer[]): void
  updated(update: BudgetUpdate): void
}

export interface BudgetUpdate {
  /** Only the changed ones; a worker that starts gets all. */
  readonly states: readonly LimitedBudget[]
  /** Ids of those that no longer block. */
  readonly gone: readonly string[]
  readonly workers: number
  /** How many calls that this worker let through and reported are in the reserved sums. */
  readonly reports: number
}

export type LimitReply =
  | { readonly kind: 'reservationAnswers'; readonly answers: readonly ReservationAnswer[] }
  | ({ readonly kind: 'budgetUpdate' } & BudgetUpdate)

export interface LimitRequest {
  readonly kind: 'limiterMessages'
  readonly messages: readonly LimiterMessage[]
}
