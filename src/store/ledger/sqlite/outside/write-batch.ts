// Writes a batch whose calls are kept elsewhere: first the calls, under a number that does not
// count, then everything else in one transaction on SQLite, with which the number counts. Must stay
// true: a kill at any moment leaves all of it or nothing that counts.

import type { UsageRecord } from '../../../../core/usage-record.ts'
import type { SqliteFile } from '../../../sqlite/file.ts'
import type { Snapshots } from '../../../sqlite/snapshots.ts'
import type { BatchConnection, PreparedRecords } from '../../batch-records.ts'
import type { RecordPlace } from '../../calls-book.ts'
import type { UsageBatch } from '../../ledger-store.ts'
import { transactConfirmed } from '../confirmed-transaction.ts'
import { createBatchWrite } from '../write-batch.ts'
import type { BatchOptions } from '../write-batch.ts'
import type { ReadCounts } from './read-counts.ts'

/** Each is for a reason that another process gave; more in a row are a sign of something else. */
const ATTEMPTS_MAX = 8

/** The transaction is not begun until all that has to be awaited is known. */
const NO_TRANSACTION: BatchConnection = { query: async () => {} }

export interface OutsideBatchOptions extends BatchOptions {
  readonly place: RecordPlace
  readonly snapshots: Snapshots
  readonly counts: ReadCounts
}

export function createOutsideBatchWriter(
  file: SqliteFile,
  { place, snapshots, counts, ...options }: OutsideBatchOptions,
): (batch: UsageBatch) => Promise<void> {
  const write = createBatchWrite(file, { ...options, isOutside: true })
  const { ofBatch } = place
  let isChecked = false

  function commit(batch: UsageBatch, sent: PreparedRecords): Promise<void> {
    const confirm: PreparedRecords['confirm'] = (sql) => sent.confirm(sql)
    return transactConfirmed(file, { snapshots, confirm }, (makeItCount) =>
      counts.run(() => write(batch, makeItCount)),
    )
  }

  return async (batch) => {
    if (!isChecked && batch.records.length > 0) {
      await place.check()
      isChecked = true
    }
    let records = toDistinct(batch.records)
    for (let attempts = 1; ; attempts += 1) {
      const sent = await ofBatch.prepare(records)
      try {
        await sent.begin(NO_TRANSACTION, '')
        await commit({ ...batch, records }, sent)
        sent.committed()
        return
      } catch (error) {
        if (attempts === ATTEMPTS_MAX || !ofBatch.isRepeat(error)) throw error
        records = await ofBatch.withoutStored(records)
      }
    }
  }
}

/** The first of several with one id stays. */
function toDistinct(records: readonly UsageRecord[]): readonly UsageRecord[] {
  const byId = new Map<string, UsageRecord>()
  for (const record of records) {
    if (!byId.has(record.event.id)) byId.set(record.event.id, record)
  }
  return [...byId.values()]
}
