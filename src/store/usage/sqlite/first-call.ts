// When the first call on record began. Must stay true: it stays as it is while retention removes
// records, but for the time of day, as the sums of a day are kept.

import type { SqliteFile } from '../../sqlite/file.ts'
import { fromPeriodNumber } from '../sql/periods.ts'

const DAY_MS = 86_400_000
/** Refused calls before it, which are on record and in no sum. */
const EXAMINED_MAX = 1000

const FIRST_DAY = 'SELECT MIN(period) AS day FROM total_rollup WHERE period > 999999'
const FIRST_RECORD = `SELECT started_at AS at FROM (SELECT status, started_at FROM records
  ORDER BY id LIMIT ${EXAMINED_MAX}) WHERE status <> 'denied' LIMIT 1`

/** Of forwarded calls; the start of its day where its record is gone. Null without a call. */
export function readFirstCallAt(file: SqliteFile): number | null {
  const day = file.prepare<{ day: number | null }>(FIRST_DAY).first()?.day ?? null
  if (day === null) return null
  const dayMs = Date.parse(fromPeriodNumber(day))
  const at = file.prepare<{ at: number }>(FIRST_RECORD).first()?.at ?? dayMs
  return at < dayMs + DAY_MS ? Math.max(Math.floor(at), dayMs) : dayMs
}
