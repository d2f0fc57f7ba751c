// What the supervisor and its processes say to each other. Calls never depend on any of it.

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
  /** End in good order. */
  | { readonly kind: 'drain' }
  /** To the ledger: the sum over all the other processes. */
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }

export type FromRole =
  | { readonly kind: 'ready' }
  /** It cannot start, and starting it again would not help. */
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly hint: string | null
    }
  | { readonly kind: 'metrics'; readonly samples: readonly MetricSample[] }
