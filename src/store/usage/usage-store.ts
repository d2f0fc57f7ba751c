// The usage store: records, rollups over them, and how far the journals have been read. A batch is
// written whole or not at all, cursor included: that is all that stands between a kill and a lost or
// doubled call. Engines live in the files beside this one and are named in app/backends.ts only.

import type { Money } from '../../core/money.ts'
import type { CallOpening, UsageEvent } from '../../core/usage-event.ts'
import type { StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import type { BudgetLedger } from './budget-ledger.ts'
import type { DaySpendStore } from './day-spend.ts'
import type { RequestLog } from './request-log.ts'
import type { UsageUpkeep } from './usage-upkeep.ts'

/** How far one worker's journal has been stored. The fields are the journal's; the store only keeps them. */
export interface StoredCursor {
  readonly worker: string
  readonly segment: number
  readonly offset: number
  readonly sequence: number
  readonly forwarded: number
}

/** A call that was opened in a worker's journal and has not been closed yet. */
export interface OpenCall {
  readonly worker: string
  readonly opening: CallOpening
  /** What is known of it where it has ended and its tokens are still being counted. */
  readonly held?: UsageEvent | undefined
}

/** A stored object of a provider's, such as a response, whose usage can be read again and again. */
export interface CountedObject {
  readonly provider: string
  /** As the event's `countedAs` names it. */
  readonly name: string
}

/** Which event counted it. */
export interface CountedUse extends CountedObject {
  readonly eventId: string
  readonly endedAt: number
}

export interface UsageBatch {
  readonly records: readonly UsageRecord[]
  readonly cursors: readonly StoredCursor[]
  /** Openings whose close did not come within this batch. */
  readonly opened: readonly OpenCall[]
  /** Ids of calls opened in earlier batches that are settled by a record of this one. */
  readonly settledIds: readonly string[]
  /** What this batch counts that must not be counted again; the first to count an object stays. */
  readonly counted: readonly CountedUse[]
  /** Those behind the records' price versions; the ones that are stored already may be left out. */
  readonly prices: readonly StoredPrice[]
  /** Calls that the journals opened in this batch, to be added to the tally. */
  readonly forwarded: number
  /** Calls that were put aside because they cannot be stored; below zero when they are put back. */
  readonly dead: number
}

/** Over all times: what the journals opened, and what became of it. */
export interface CallTally {
  readonly forwarded: number
  /** Forwarded calls that have a record; kept by the store itself, which knows what came twice. */
  readonly recorded: number
  readonly dead: number
}

/** One of a batch's records can never be stored, whatever is tried. Nothing of the batch was written. */
export class UnstorableRecord extends Error {
  readonly eventId: string

  constructor(eventId: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'UnstorableRecord'
    this.eventId = eventId
  }
}

/** How long counted objects are remembered. Providers keep theirs for thirty days at the most. */
export const COUNTED_KEPT_DAYS = 60

export interface LedgerState {
  readonly cursors: readonly StoredCursor[]
  readonly openCalls: readonly OpenCall[]
  readonly tally: CallTally
}

/** Days as `YYYY-MM-DD`, months as `YYYY-MM`, both ends included, UTC. */
export interface Period {
  readonly grain: 'day' | 'month'
  readonly from: string
  readonly to: string
}

export type UsageGrouping =
  | { readonly by: 'total' }
  | { readonly by: 'provider' }
  | { readonly by: 'api_key' }
  /** One row a day or month that has traffic, by the period's grain. */
  | { readonly by: 'bucket' }
  | { readonly by: 'bucket_provider' }
  /** The following need a period of months. */
  | { readonly by: 'model' }
  | { readonly by: 'dim'; readonly dimKey: string }
  | { readonly by: 'dim_model'; readonly dimKey: string }
  /** The last two are kept for all keys together only. By how the calls' usage is known. */
  | { readonly by: 'usage' }
  /** How much of it carries a dimension, whatever its value. */
  | { readonly by: 'dim_key' }

export interface UsageQuestion {
  readonly period: Period
  readonly grouping: UsageGrouping
  /** Only this key's calls; null for all. */
  readonly keyId: string | null
  /** Only so many rows, those that cost most, and all that cost as much as the last of them. Left out: all rows. */
  readonly largest?: number
  /** The other figures are 0 then; it is the quicker question. */
  readonly isCostOnly?: boolean
}

/** Sums over the calls that were forwarded; denied calls are in none of them. */
export interface UsageSum {
  /** The provider, key id, model, dimension or its value; null for totals and plain buckets. */
  readonly label: string | null
  readonly bucket: string | null
  readonly model: string | null
  readonly cost: Money
  readonly requests: number
  readonly tokens: number
  /** How many of the requests have no known cost: `cost` is too low by theirs. */
  readonly unpriced: number
}

export interface UsageStore {
  readonly requests: RequestLog
  readonly budgets: BudgetLedger
  readonly daySpend: DaySpendStore
  readonly upkeep: UsageUpkeep
  /**
   * A record whose id is stored already changes nothing: the journal may deliver twice. Throws UnstorableRecord
   * where one of them is to blame, anything else where another try may help.
   */
  write(batch: UsageBatch): Promise<void>
  readLedgerState(): Promise<LedgerState>
  /** Those of the objects that were counted before. */
  readCounted(objects: readonly CountedObject[]): Promise<readonly CountedUse[]>
  /** Unordered; groups without calls are absent. */
  sum(question: UsageQuestion): Promise<readonly UsageSum[]>
  /** Changes with every repricing and rebuild: figures that were read before may no longer be true. */
  readCostRevision(): Promise<string>
  readRecord(id: string): Promise<UsageRecord | null>
  /** A fault in one sentence, or null: for `weir doctor` and readiness. */
  check(): Promise<string | null>
  close(): Promise<void>
}
