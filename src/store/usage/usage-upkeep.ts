// What is done to a usage store besides writing and asking: old records removed, rollups rebuilt,
// costs changed. Part of the usage store. Must stay true: records and rollups always change
// together.

import type { Money } from '../../core/money.ts'
import type { Cost, StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import type { RequestFilter } from './request-log.ts'

/** A model that ran and whose cost is not known. */
export interface UnpricedModel {
  readonly provider: string
  /** Null where no call named one. */
  readonly model: string | null
  /** Those without a cost. */
  readonly requests: number
  /** All of the model's in the months with such requests, also of those that have a cost. */
  readonly tokens: number
  /** `YYYY-MM`, the first and the last month it happened in. */
  readonly firstMonth: string
  readonly lastMonth: string
}

export interface RebuildReport {
  /** Records that were summed. */
  readonly records: number
  readonly rowsBefore: number
  readonly rowsAfter: number
  /** Rollup rows whose figures were not those of the records; the first of them, in words. */
  readonly rowsChanged: number
  readonly examples: readonly string[]
  /**
   * `YYYY-MM-DD`. Days before it, and months that began before it, are kept as they are, since
   * their records are no longer all there; null: all were rebuilt.
   */
  readonly rebuiltFrom: string | null
}

/**
 * One step of a repricing. The stored cost must still be `before`, or the record is left as it is.
 */
export interface CostChange {
  readonly id: string
  readonly before: Cost
  readonly after: Cost
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
}

export interface UsageUpkeep {
  /**
   * Removes records that ended before the moment, which must be the beginning of a UTC day, at most
   * `rowsMax`; returns how many. Their rollups stay. The room they took is used again.
   */
  removeRecords(beforeMs: number, rowsMax: number): Promise<number>
  /**
   * Sums the records again and corrects what differs in one transaction, beside running writes; a
   * trial changes nothing. It blocks the caller's thread until it is done.
   */
  rebuildRollups(options: {
    readonly isTrial: boolean
    readonly onProgress?: (records: number) => void
  }): Promise<RebuildReport>
  /** Largest first. */
  listUnpriced(): Promise<readonly UnpricedModel[]>
  /** Oldest first, behind the id `after`; an empty page is the last. */
  readRecords(
    filter: RequestFilter,
    page: { readonly after: string | null; readonly rowsMax: number },
  ): Promise<readonly UsageRecord[]>
  /**
   * Costs, rollups, prices and the audit line in one transaction. `repricing` null begins a new
   * line; its id is in the answer.
   */
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
  /** Newest first. */
  listRepricings(rowsMax: number): Promise<readonly Repricing[]>
  /**
   * Faults in sentences: the file's own structure, then rollups against records. None when all is
   * well.
   */
  findFaults(): Promise<readonly string[]>
}
