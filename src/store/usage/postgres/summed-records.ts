// The records that sums are made from, on PostgreSQL.

import type { Sql } from '../../sql/sql.ts'
import { toSummedColumns, toSummedRecord } from '../sql/summed-record.ts'
import type { SummedRecord } from '../sql/summed-record.ts'
import { POSTGRES } from './dialect.ts'
import { readEnded } from './span-records.ts'

/** Of calls that ended at `sinceMs` or later. */
export async function* readSummedRecords(sql: Sql, sinceMs: number): AsyncGenerator<SummedRecord> {
  const span = { startMs: sinceMs, endMs: Number.MAX_SAFE_INTEGER }
  const columns = toSummedColumns(POSTGRES)
  for await (const values of readEnded(sql, { span, columns, where: 'TRUE' })) {
    yield toSummedRecord(values)
  }
}
