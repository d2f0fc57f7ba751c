// When the first call on record began. Must stay true: it stays as it is while retention removes
// records, but for the time of day, as the sums of a day are kept.

import { fromPeriodNumber } from './periods.ts'

const DAY_MS = 86_400_000
/** Refused calls before it, which are on record and in no sum. */
const EXAMINED_MAX = 1000

export const FIRST_DAY = 'SELECT MIN(period) AS day FROM total_rollup WHERE period > 999999'
export const FIRST_RECORD = `SELECT started_at AS at FROM (SELECT status, started_at FROM records
  ORDER BY id LIMIT ${EXAMINED_MAX}) AS first WHERE status <> 'denied' LIMIT 1`

/** The start of its day where its record is gone. */
export function toFirstCallAt(day: number, recordAt: number | null): number {
  const dayMs = Date.parse(fromPeriodNumber(day))
  const at = recordAt ?? dayMs
  return at < dayMs + DAY_MS ? Math.max(Math.floor(at), dayMs) : dayMs
}
