// The records of a batch, inserted one by one in its own transaction. Must stay true: what the
// table would refuse is blamed on its record, and on no other.

import type { SQLInputValue } from 'node:sqlite'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { isDataFault } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { Sql } from '../../sql/sql.ts'
import { SQLITE } from '../../usage/sqlite/dialect.ts'
import {
  DIM_TEXT_MAX,
  INSERT_RECORD,
  RECORD_COLUMNS,
  toDimsJson,
  toRecordRow,
} from '../../usage/sql/record-row.ts'
import { NO_RECORDS } from '../batch-records.ts'
import type { BatchRecords } from '../batch-records.ts'
import { UnstorableRecord } from '../ledger-store.ts'
import { withoutStored } from '../sql/ledger-engine.ts'

const DIMS = RECORD_COLUMNS.indexOf('dims')

/** Some records of the batch are in the table already. */
class RepeatedRecords extends Error {}

interface PreparedRow {
  readonly record: UsageRecord
  readonly row: SQLInputValue[]
}

export interface InsertedRecordsOptions {
  readonly sql: Sql
  readonly idOf: (name: string) => number
}

export function createInsertedRecords(
  file: SqliteFile,
  { sql, idOf }: InsertedRecordsOptions,
): BatchRecords {
  const insert = file.database.prepare(INSERT_RECORD)

  function write({ record, row }: PreparedRow): void {
    // The names of long values have ids by now.
    if (isLong(record)) row[DIMS] = toDimsJson(record.event.dims, idOf)
    if (insert.run(...row).changes === 0) throw new RepeatedRecords()
  }

  return {
    async prepare(records) {
      if (records.length === 0) return NO_RECORDS
      const rows = records.map((record) => blame(record, () => ({ record, row: toRow(record) })))
      return {
        ...NO_RECORDS,
        async begin() {
          file.guard(() => {
            for (const one of rows) blame(one.record, () => write(one))
          })
        },
      }
    },
    withoutStored: (records) => withoutStored(sql, records, SQLITE),
    isRepeat: (error) => error instanceof RepeatedRecords,
    recover: () => false,
  }
}

function blame<Result>({ event }: UsageRecord, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof RepeatedRecords || !isDataFault(error)) throw error
    throw new UnstorableRecord(event.id, error)
  }
}

/** Names are taken from it before it is inserted, so what is no text is found here. */
function toRow(record: UsageRecord): SQLInputValue[] {
  const row = toRecordRow(record)
  const { keyId, provider, model, status, usage } = record.event
  for (const name of [keyId ?? '', provider, model ?? '', status, usage, record.cost.source]) {
    if (typeof name !== 'string') throw new TypeError(`A name of the record is no text.`)
  }
  return row
}

function isLong({ event: { dims } }: UsageRecord): boolean {
  for (const key in dims) if ((dims[key] as string).length > DIM_TEXT_MAX) return true
  return false
}
