// What is opened to store and to ask: the ledger's book and the usage, written by one batch. Must
// stay true: a batch is written whole or not at all, cursors included. That is all that stands
// between a kill and a lost or doubled call. An engine that keeps both in one database does it by
// one transaction.

import type { StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { CountedUse, LedgerBook, OpenCall, StoredCursor } from './ledger-book.ts'

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

/**
 * One of a batch's records can never be stored, whatever is tried. Nothing of the batch was
 * written.
 */
export class UnstorableRecord extends Error {
  readonly eventId: string

  constructor(eventId: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'UnstorableRecord'
    this.eventId = eventId
  }
}

export interface LedgerStore {
  readonly book: LedgerBook
  readonly usage: UsageStore
  /**
   * A record whose id is stored already changes nothing: the journal may deliver twice. Throws
   * UnstorableRecord where one of them is to blame, anything else where another try may help.
   */
  writeBatch(batch: UsageBatch): Promise<void>
  /** A fault in one sentence, or null: for `weir doctor` and readiness. */
  check(): Promise<string | null>
  close(): Promise<void>
}
