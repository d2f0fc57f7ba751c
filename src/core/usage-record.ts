// A usage event with its cost: what the usage store keeps.

import type { Money } from './money.ts'
import type { UsageEvent } from './usage-event.ts'

/**
 * gateway     taken from the gateway's response (older records: any response), never computed
 * provider    taken from another provider's response, never computed
 * byok-zero   served with the caller's own provider key: charged nothing
 * plan        paid by a subscription: charged nothing
 * price-book  computed from the bundled prices
 * override    computed from the operator's prices
 * unpriced    not known; counted as 0 in sums and shown as a gap
 * free        a call that is not charged
 */
export type CostSource =
  | 'gateway'
  | 'provider'
  | 'byok-zero'
  | 'plan'
  | 'price-book'
  | 'override'
  | 'unpriced'
  | 'free'

export interface Cost {
  /** Null exactly when the source is `unpriced`. */
  readonly amount: Money | null
  readonly source: CostSource
  /** Null where no price was needed or known. */
  readonly priceVersion: string | null
}

export interface UsageRecord {
  readonly event: UsageEvent
  readonly cost: Cost
}

/** The rates behind a price version, as text. Kept with the records, to explain their costs. */
export interface StoredPrice {
  readonly version: string
  readonly sheet: string
}
