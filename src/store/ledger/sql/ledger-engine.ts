// What a ledger needs of its engine beside SQL: how it stores the records of a batch, and a
// transaction whose statements are few round trips.

import type { UsageRecord } from '../../../core/usage-record.ts'
import { fromStoredId } from '../../sql/id-bytes.ts'
import type { Change, Sql, SqlDatabase } from '../../sql/sql.ts'
import type { RecordEngine } from '../../usage/record-engine.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import type { BatchConnection, BatchRecords, PreparedRecords } from '../batch-records.ts'

/** The transaction of a batch, under the store's lock. */
export interface BatchWork<Read> {
  /** What is shared, in reads that are begun together. */
  read(sql: Sql): Promise<Read>
  /** What is to be run before the commit. The database's epoch is noted by then. */
  change(sql: Sql, read: Read): Promise<readonly Change[]>
}

export interface LedgerEngine<Connection extends BatchConnection = BatchConnection> {
  readonly database: SqlDatabase
  readonly dialect: Dialect
  readonly records: RecordEngine
  /** A record as its rows and its sums can have it. */
  toStorable(record: UsageRecord): UsageRecord
  /** Of parts for analysis that are merged in the transaction of a batch. */
  readonly mergedRowsMax: number
  /** `idOf` gives the ids of names of records that are written next. */
  openBatches(idOf: (name: string) => number): BatchRecords<Connection>
  /** All or nothing; it begins as the records say. */
  transactBatch<Read>(
    sent: Pick<PreparedRecords<Connection>, 'begin'>,
    work: BatchWork<Read>,
  ): Promise<void>
}

/** Those that are not in the table of records yet. */
export async function withoutStored(
  sql: Sql,
  records: readonly UsageRecord[],
  dialect: Pick<Dialect, 'hasId'>,
): Promise<readonly UsageRecord[]> {
  const isWanted = dialect.hasId(records.map(({ event }) => event.id))
  const text = `SELECT id FROM records WHERE ${isWanted.sql}`
  const rows = await sql.all<{ id: string | Uint8Array }>(text, isWanted.parameters)
  const stored = new Set(rows.map(({ id }) => fromStoredId(id)))
  return records.filter(({ event }) => !stored.has(event.id))
}
