// What calls that are kept outside the ledger database need of it. A batch is written there under a
// number that does not count yet, and counts from the commit of its transaction in the ledger
// database on. Must stay true: a number under which anything may have been written counts by that
// commit, or never.

import type { StoredPrice } from '../../core/usage-record.ts'
import type { RecordEngine } from '../usage/record-engine.ts'
import type { Sql, Statement } from '../sql/sql.ts'
import type { BatchRecords } from './batch-records.ts'

/** Both ends included. */
export interface BatchRange {
  readonly from: number
  readonly to: number
}

/** Which batches count at one moment. */
export interface CountedBatches {
  readonly last: number
  /** Being written, or given up. */
  readonly hidden: readonly BatchRange[]
}

export interface Confirmation {
  /** With these, the number counts and the next one, if any, is reserved. */
  readonly statements: readonly Statement[]
  readonly next: number | null
}

export interface CallBatches {
  readSnapshot<Result>(read: (sql: Sql) => Promise<Result>): Promise<Result>
  readBatches(sql: Sql): Promise<CountedBatches>
  /** A new number, in a commit of its own; never one that was used before. */
  take(): Promise<number>
  /**
   * Numbers up to this one were used, whatever the ledger database knows of them: they do not
   * count.
   */
  skip(last: number): Promise<void>
  /**
   * How the last number that was used is found, where the ledger database may be of an earlier
   * moment.
   */
  findLastBy(readLast: () => Promise<number>): void
  /** Under the lock. With `isLast` none is reserved: whoever writes has no more to write. */
  confirm(sql: Sql, batch: number, options?: { readonly isLast?: boolean }): Promise<Confirmation>
  /** Hidden numbers under which nobody writes any more; `isOld` after weeks. */
  listGivenUp(): Promise<readonly (BatchRange & { readonly isOld: boolean })[]>
  /** Nothing has such a number any more. */
  forget(range: BatchRange): Promise<void>
  /** From when on calls are complete. */
  readKeptFrom(sql: Sql): Promise<number>
  /** Calls that ended before are being removed. */
  markRemoved(beforeMs: number): Promise<void>
  /** Which sums of calls count, as replaceSums was given it; null while there are none. */
  readSums(sql: Sql): Promise<string | null>
  /** In a commit of its own; false where they are not `before` any more, and nothing is changed. */
  replaceSums(before: string | null, after: string): Promise<boolean>
  readPrices(versions: readonly string[]): Promise<readonly StoredPrice[]>
}

/** Calls outside the ledger database: how they are read, and how a batch writes them. */
export interface RecordBackend {
  readonly engine: RecordEngine
  readonly ofBatch: BatchRecords
  /** Fails with what is wrong. */
  check(): Promise<void>
  close(): Promise<void>
}

export type OpenRecords = (callBatches: CallBatches) => RecordBackend
