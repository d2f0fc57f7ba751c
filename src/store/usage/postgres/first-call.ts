// When the first call on record began.

import type { Sql } from '../../sql/sql.ts'
import type { RecordReader } from '../record-reader.ts'
import { FIRST_DAY, toFirstCallAt } from '../sql/first-call.ts'

/** Of forwarded calls; null without one. */
export async function readFirstCallAt(sql: Sql, records: RecordReader): Promise<number | null> {
  const first = await sql.first<{ day: number | null }>(FIRST_DAY)
  const day = first?.day ?? null
  return day === null ? null : toFirstCallAt(day, await records.readFirstStart(sql))
}
