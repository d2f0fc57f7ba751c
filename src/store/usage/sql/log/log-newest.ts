// The newest week of a page apart from what is before it. To plan a question over all months takes
// longer than to answer it from one or two, and nearly every page is filled by the newest calls.

import type { Sql } from '../../../sql/sql.ts'
import type { LogPart } from './log-parts.ts'
import { fromPeriodNumber } from '../periods.ts'
import { toTimeBytes } from './request-filter.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** The same calls in the same order; a part without parameters of its own is a range of ids. */
export async function splitNewest(
  sql: Sql,
  parts: readonly LogPart[],
): Promise<readonly LogPart[]> {
  const newestMs = await readNewestDay(sql)
  return parts.flatMap((part) => {
    const { from, to } = part.range
    const place = toTimeBytes(Math.min(to.readUIntBE(0, 6), newestMs) - WEEK_MS)
    const isWithin = Buffer.compare(from, place) < 0 && Buffer.compare(place, to) < 0
    if (part.parameters.length > 0 || !isWithin) return [part]
    return [
      { ...part, range: { from: place, to } },
      { ...part, range: { from, to: place } },
    ]
  })
}

/** The end of the newest day that has a forwarded call. */
async function readNewestDay(sql: Sql): Promise<number> {
  const text = 'SELECT MAX(period) AS day FROM total_rollup WHERE period > 999999'
  const day = (await sql.first<{ day: number | null }>(text))?.day ?? null
  return day === null ? 0 : Date.parse(fromPeriodNumber(day)) + DAY_MS
}
