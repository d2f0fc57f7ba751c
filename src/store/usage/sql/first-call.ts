// When the first call on record began. Must stay true: it stays as it is while retention removes
// records, but for the time of day, as the sums of a day are kept.

import type { Sql } from '../../sql/sql.ts'
import type { RecordReader } from '../record-reader.ts'
import { fromPeriodNumber } from './periods.ts'

const DAY_MS = 86_400_000
/** Refused calls before it, which are on record and in no sum. */
const EXAMINED_MAX = 1000

const FIRST_DAY = 'SELECT MIN(period) AS day FROM total_rollup WHERE period > 999999'
export const FIRST_RECORD = `SELECT started_at AS at FROM (SELECT status, started_at FROM records
  ORDER BY id LIMIT ${EXAMINED_MAX}) AS first WHERE status <> 'denied' LIMIT 1`

/** Of forwarded calls; null without one. */
export async function readFirstCallAt(
  sql: Sql,
  records: Pick<RecordReader, 'readFirstStart'>,
): Promise<number | null> {
  const day = (await sql.first<{ day: number | null }>(FIRST_DAY))?.day ?? null
  return day === null ? null : toFirstCallAt(day, await records.readFirstStart(sql))
}

/** The start of its day where its record is gone. */
function toFirstCallAt(day: number, recordAt: number | null): number {
  const dayMs = Date.parse(fromPeriodNumber(day))
  const at = recordAt ?? dayMs
  return at < dayMs + DAY_MS ? Math.max(Math.floor(at), dayMs) : dayMs
}
