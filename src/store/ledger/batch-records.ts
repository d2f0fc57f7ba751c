// How the records of a batch come into the store, wherever it keeps them: within the transaction of
// the batch, or before it under a number that counts with its commit.

import type { UsageRecord } from '../../core/usage-record.ts'
import type { Sql, Statement } from '../sql/sql.ts'

/** As much of a database's connection as begins a transaction. */
export interface BatchConnection {
  query(text: string): Promise<unknown>
}

export interface BatchRecords<Connection extends BatchConnection = BatchConnection> {
  /** Not within a transaction. Throws UnstorableRecord. */
  prepare(records: readonly UsageRecord[]): Promise<PreparedRecords<Connection>>
  /** Those that are not stored yet. */
  withoutStored(records: readonly UsageRecord[]): Promise<readonly UsageRecord[]>
  /** Some of them are stored already: the batch is to be made again without them. */
  isRepeat(error: unknown): boolean
  /** Whether a batch that failed may be tried again at once. */
  recover(error: unknown): boolean
}

export interface PreparedRecords<Connection extends BatchConnection = BatchConnection> {
  /** Begins the transaction by that text; the records are in it, or were sent before. */
  begin(connection: Connection, text: string): Promise<void>
  /** Under the lock: what makes the records count when the transaction is committed. */
  confirm(sql: Sql): Promise<readonly Statement[]>
  /** The transaction is committed. */
  committed(): void
}

/** A batch may consist of cursors alone. */
export const NO_RECORDS: PreparedRecords = {
  async begin(connection, text) {
    await connection.query(text)
  },
  confirm: async () => [],
  committed: () => {},
}
