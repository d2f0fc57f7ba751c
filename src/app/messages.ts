// The messages between the supervisor and its processes. No call depends on one: a call that asks the
// limit bank and gets no answer goes on.

import type { BudgetReport } from '../core/budget-state.ts'
import type { BudgetReservations } from '../limits/limit-bank.ts'
import type { LimitReply, LimitRequest } from '../limits/limit-messages.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from '../config/config.ts'
import type { MetricSample } from './meter.ts'

/** Fixed when the program starts, so that a restarted process has the same ones. */
export interface Addresses {
  readonly proxyPort: number
  readonly apiPort: number
}

/** How the other processes are doing, for the roles that show it. */
export type StatusUpdate =
  /** To the API: the sum over all the other processes. */
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }
  /** To the API: what runs under blocking budgets. */
  | { readonly kind: 'reservations'; readonly figures: readonly BudgetReservations[] }
  /** To the API: why the ledger is behind, in a sentence; null while all is well. */
  | { readonly kind: 'ledgerFault'; readonly fault: string | null }

export type ToRole =
  | LimitReply
  | {
      readonly kind: 'start'
      readonly config: Config
      readonly addresses: Addresses
    }
  /** End cleanly. Sent again, it can only shorten the time. */
  | { readonly kind: 'drain'; readonly limits: DrainLimits }
  | StatusUpdate

export type FromRole =
  | LimitRequest
  | { readonly kind: 'ready' }
  /** For the person who started the program: what it waits for, how far it is. */
  | { readonly kind: 'say'; readonly line: string }
  /** It cannot start, and starting it again would not help. */
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly hint: string | null
    }
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }
  /** From the ledger, when it changes. */
  | { readonly kind: 'ledgerFault'; readonly fault: string | null }
  /** From the ledger: how the blocking budgets stand. */
  | { readonly kind: 'budgets'; readonly report: BudgetReport }
