// The messages between the supervisor and its processes. No call depends on one: a call that gets
// no answer from the limit bank goes on.

import type { BudgetReport } from '../core/budget-state.ts'
import type { BudgetReservations } from '../limits/limit-bank.ts'
import type { LimitReply, LimitRequest } from '../limits/limit-messages.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from '../config/config.ts'
import type { TlsTexts } from '../config/tls-files.ts'
import type { LedgerStand } from '../ledger/read-completeness.ts'
import type { MetricSample } from './meter.ts'
import type { NodeIdentity } from './nodes/node-identity.ts'

/** Fixed when the program starts, so that a restarted process has the same ones. */
export interface Addresses {
  /** Null where this node has none. */
  readonly proxyPort: number | null
  readonly apiPort: number | null
  /** By which the API knows the requests that this node's proxy passes on. */
  readonly relaySecret: string
}

export type StatusUpdate =
  /** To the API: the sum over all the other processes. */
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }
  /** To the API: what runs under blocking budgets. */
  | { readonly kind: 'reservations'; readonly figures: readonly BudgetReservations[] }
  /** To the API: why the ledger is behind, in a sentence; null while all is well. */
  | { readonly kind: 'ledgerFault'; readonly fault: string | null }

/** To the ledger: this node has its id, so it may store. */
export interface Claimed {
  readonly kind: 'claimed'
}

export type ToRole =
  | LimitReply
  | {
      readonly kind: 'start'
      readonly config: Config
      readonly tls: TlsTexts
      readonly addresses: Addresses
      readonly node: NodeIdentity
    }
  /** Sent again, it can only shorten the time. */
  | { readonly kind: 'drain'; readonly limits: DrainLimits }
  | StatusUpdate
  | Claimed

export type FromRole =
  | LimitRequest
  | { readonly kind: 'ready' }
  | { readonly kind: 'say'; readonly line: string }
  /** Starting it again would not help. */
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly hint: string | null
    }
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }
  | { readonly kind: 'ledgerFault'; readonly fault: string | null }
  | { readonly kind: 'budgets'; readonly report: BudgetReport }
  /** From the ledger: how far it is. */
  | { readonly kind: 'stand'; readonly stand: LedgerStand }
