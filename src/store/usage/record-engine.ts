// Where single calls are kept: in the database of the sums, or in an engine that is good at many of
// them. The sums, and the ledger database that says what counts, are in the database either way.

import type { UsageRecord } from '../../core/usage-record.ts'
import type { Sql, Statement } from '../sql/sql.ts'
import type { RecordReader } from './record-reader.ts'
import type { RequestLog } from './request-log.ts'
import type { UsageStore } from './usage-store.ts'
import type { UsageUpkeep } from './usage-upkeep.ts'

/** Its cost, or its team; nothing else of a record changes. */
export interface ChangedRecord {
  readonly before: UsageRecord
  readonly after: UsageRecord
}

/** What the transaction that changes the sums is to run: from its commit on, the changes count. */
export type ChangeConfirmation = (sql: Sql) => Promise<readonly Statement[]>

export interface RecordEngine extends RecordReader {
  /** False where analysis reads the calls themselves, so that no parts are kept for it. */
  readonly hasParts: boolean
  readonly requests: RequestLog
  /** Of the moment of `sql`, where it is given. */
  analyze(
    questions: Parameters<UsageStore['analyze']>[0],
    sql?: Sql,
  ): ReturnType<UsageStore['analyze']>
  readonly readPage: UsageUpkeep['readRecords']
  readonly remove: UsageUpkeep['removeRecords']
  /** Each record once. Before the transaction that changes the sums. */
  sendChanges(changes: readonly ChangedRecord[]): Promise<ChangeConfirmation>
}
