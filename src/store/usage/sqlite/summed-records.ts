// The records that sums are made from, on SQLite.

import type { DatabaseSync } from 'node:sqlite'
import { toSummedColumns, toSummedRecord } from '../sql/summed-record.ts'
import type { SummedRecord } from '../sql/summed-record.ts'
import { SQLITE } from './dialect.ts'

// A call can begin any time before the day it ended on, so all rows are read, in the file's own
// order, which is fastest.
const SELECT_SUMMED = `SELECT ${toSummedColumns(SQLITE)} FROM records WHERE ended_at >= ?
  ORDER BY id`

/** Of calls that ended at `fromMs` or later. */
export function* readSummedRecords(
  database: DatabaseSync,
  sinceMs: number,
): Generator<SummedRecord> {
  const select = database.prepare(SELECT_SUMMED)
  select.setReturnArrays(true)
  for (const row of select.iterate(sinceMs)) {
    yield toSummedRecord(row as unknown as readonly unknown[])
  }
}
