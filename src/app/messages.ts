// What the supervisor and its processes say to each other. Calls never depend on any of it.

import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from './config.ts'
import type { MetricSample } from './meter.ts'

/** The addresses that were settled at the start, so that a restarted process has the same ones. */
export interface Addresses {
  readonly proxyPort: number
  readonly apiPort: number
}

export type ToRole =
  | {
      readonly kind: 'start'
      readonly config: Config
      readonly addresses: Addresses
    }
  /** End in good order. Said again, it can only shorten the time. */
  | { readonly kind: 'drain'; readonly limits: DrainLimits }
  /** To the ledger: leave the journals to a successor, and go on answering until told to end. */
  | { readonly kind: 'yield' }
  /** To the ledger: the sum over all the other processes. */
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }

export type FromRole =
  | { readonly kind: 'ready' }
  /** For the person who started the program: what it waits for, how far it is. */
  | { readonly kind: 'say'; readonly line: string }
  | { readonly kind: 'yielded' }
  /** It cannot start, and starting it again would not help. */
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly hint: string | null
    }
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }
