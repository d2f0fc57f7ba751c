// Upkeep of a usage store: removes old records, rebuilds rollups, changes costs, books calls to
// teams. Records and rollups always change together.

import type { Money } from '../../core/money.ts'
import type { Cost, StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import type { RequestFilter } from './request-log.ts'

export interface UnpricedModel {
  readonly provider: string
  /** Null where no call named one. */
  readonly model: string | null
  /** Only requests without a cost. */
  readonly requests: number
  /** All the model's tokens in the months with such requests, including priced calls. */
  readonly tokens: number
  /** How many requests of those months have a cost. */
  readonly priced: number
  /** `YYYY-MM`, the first and the last month with such requests. */
  readonly firstMonth: string
  readonly lastMonth: string
}

export interface RebuildReport {
  readonly records: number
  readonly rowsBefore: number
  readonly rowsAfter: number
  /** Rollup rows that differed from the records; the first of them, in words. */
  readonly rowsChanged: number
  readonly examples: readonly string[]
  /** `YYYY-MM-DD`. Earlier days and months lack records and are kept; null: all were rebuilt. */
  readonly rebuiltFrom: string | null
}

/** One step of a repricing. A record whose stored cost is not `before` is left alone. */
export interface CostChange {
  readonly id: string
  readonly before: Cost
  readonly after: Cost
}

/** A record that has a team by then keeps it. */
export interface TeamBooking {
  readonly id: string
  readonly teamId: string
}

/** What a repricing changed of one month. */
export interface RepricedMonth {
  /** `YYYY-MM` */
  readonly month: string
  readonly records: number
  readonly before: Money
  readonly after: Money
}

/** The audit line of a repricing: it grows with every step, in the same transaction. */
export interface Repricing {
  readonly id: number
  readonly at: number
  readonly who: string
  /** What was asked for, in words. */
  readonly what: string
  readonly records: number
  readonly before: Money
  readonly after: Money
  /** By month; empty where an older version changed the costs and kept no months. */
  readonly months: readonly RepricedMonth[]
}

export interface UsageUpkeep {
  /**
   * Removes records that ended before a UTC midnight. Their rollups stay. At most `rowsMax` at a
   * time, but for what an engine removes at once; 0 also where that is in use right now.
   */
  removeRecords(beforeMs: number, rowsMax: number): Promise<number>
  /** Corrects differences in one transaction, beside running writes. May block the thread. */
  rebuildRollups(options: {
    readonly isTrial: boolean
    readonly onProgress?: (records: number) => void
    /** Rows of sums that are in memory at once; by default ROWS_BUFFERED_MAX of portion.ts. */
    readonly rowsBufferedMax?: number
  }): Promise<RebuildReport>
  /** Largest first. */
  listUnpriced(): Promise<readonly UnpricedModel[]>
  /** Oldest first, after the id `after`; an empty page is the last. */
  readRecords(
    filter: RequestFilter,
    page: { readonly after: string | null; readonly rowsMax: number },
  ): Promise<readonly UsageRecord[]>
  /** Costs, rollups, prices and audit line in one transaction. `repricing` null starts a line. */
  changeCosts(
    changes: readonly CostChange[],
    line: {
      readonly repricing: number | null
      readonly at: number
      readonly who: string
      readonly what: string
      readonly prices: readonly StoredPrice[]
    },
  ): Promise<Repricing>
  /**
   * Records and rollups in one transaction; budgets are counted again as after a repricing. Returns
   * the calls that were booked.
   */
  bookToTeams(bookings: readonly TeamBooking[]): Promise<readonly UsageRecord[]>
  /** Newest first. */
  listRepricings(rowsMax: number): Promise<readonly Repricing[]>
  /** Faults of files, in sentences. Which sums are wrong, a trial to rebuild them says. */
  findDamage(): Promise<readonly string[]>
}
