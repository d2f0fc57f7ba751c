// The ledger's progress and the usage, written together in batches. Must stay true: a batch is
// written whole or not at all, cursors included, or a kill would lose or double a call. An engine
// with both in one database uses one transaction.

import type { StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type {
  CountedObject,
  CountedUse,
  LedgerProgress,
  OpenCall,
  StoredCursor,
} from './ledger-progress.ts'

export interface UsageBatch {
  readonly records: readonly UsageRecord[]
  readonly cursors: readonly StoredCursor[]
  /** Calls opened but not closed within this batch. */
  readonly opened: readonly OpenCall[]
  /** Calls of earlier batches that a record of this one settles. */
  readonly settledIds: readonly string[]
  /** Objects that must not be counted again; the first event to count one stays. */
  readonly counted: readonly CountedUse[]
  /** Prices behind the records' versions. Those already stored may be left out. */
  readonly prices: readonly StoredPrice[]
  /** Calls that the journals opened in this batch, to be added to the tally. */
  readonly forwarded: number
  /** Calls put aside because they cannot be stored; negative when they are put back. */
  readonly dead: number
  /**
   * Names of dimensions that settings use, which have a place in the sums of every month; the same
   * array until they change.
   */
  readonly knownDims?: readonly string[]
}

/** A record of the batch can never be stored, however often it is tried. Nothing was written. */
export class UnstorableRecord extends Error {
  readonly eventId: string

  constructor(eventId: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'UnstorableRecord'
    this.eventId = eventId
  }
}

/**
 * Another node counted an object of the batch since `readCounted` was asked. Nothing was written:
 * ask again, and make the batch again from what it says.
 */
export class CountedMeanwhile extends Error {
  constructor(objects: readonly CountedObject[]) {
    const names = objects.map(({ provider, name }) => `${provider} ${name}`)
    super(`Another node counted ${names.slice(0, 3).join(', ')} meanwhile.`)
    this.name = 'CountedMeanwhile'
  }
}

export interface LedgerStore {
  readonly progress: LedgerProgress
  readonly usage: UsageStore
  /**
   * Ignores records already stored, as the journal may repeat. UnstorableRecord: do not retry;
   * CountedMeanwhile: make it again; else what `readState` says must be read again.
   */
  writeBatch(batch: UsageBatch): Promise<void>
  /** A fault in one sentence, or null: for `weir doctor` and readiness. */
  check(): Promise<string | null>
  close(): Promise<void>
}
