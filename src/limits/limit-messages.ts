// What workers and the limit bank send each other, in plain values: it travels between processes.

import type { LimitedBudget, LimiterMessage, ReservationAnswer } from './limit-bank.ts'

/** How the limit bank is reached. */
export interface LimitConnection {
  /**
   * `isUrgent`: now, rather than with all else of this turn. False where no limit bank is at the
   * other end.
   */
  send(message: LimiterMessage, isUrgent: boolean): boolean
  /** What came before is passed on at once. */
  listen(listener: LimitListener): void
}

export interface LimitListener {
  answered(answers: readonly ReservationAnswer[]): void
  updated(update: BudgetUpdate): void
}

/** How the blocking budgets stand. */
export interface BudgetUpdate {
  /** Those that have changed; to a worker that starts, all. */
  readonly states: readonly LimitedBudget[]
  /** Those that block no more, by their ids. */
  readonly gone: readonly string[]
  /** How many workers share them. */
  readonly workers: number
  /**
   * Of the calls that this worker let through by itself and reported, so many are in what is
   * reserved.
   */
  readonly reports: number
}

/** From the limit bank to a worker. */
export type LimitReply =
  | { readonly kind: 'reservationAnswers'; readonly answers: readonly ReservationAnswer[] }
  | ({ readonly kind: 'budgetUpdate' } & BudgetUpdate)

/** From a worker: what its calls ask for, and which have ended. */
export interface LimitRequest {
  readonly kind: 'limiterMessages'
  readonly messages: readonly LimiterMessage[]
}
