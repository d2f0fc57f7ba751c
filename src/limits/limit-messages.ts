// What workers and the limit bank say to each other, in plain values: it travels between processes.

import type { LimiterMessage, ReservationAnswer } from './limit-bank.ts'
import type { BudgetUpdate } from './limiter.ts'

/** From the limit bank to a worker. */
export type LimitReply =
  | { readonly kind: 'reservationAnswers'; readonly answers: readonly ReservationAnswer[] }
  | ({ readonly kind: 'budgetUpdate' } & BudgetUpdate)

/** From a worker: what its calls ask for, and which have ended. */
export interface LimitRequest {
  readonly kind: 'limiterMessages'
  readonly messages: readonly LimiterMessage[]
}
