// A filter of the request log as conditions on `calls`.

import type { RequestFilter } from '../request-log.ts'
import { toConditions, toIdRange, toList } from '../sql/log/request-filter.ts'
import { toMonths } from './current-calls.ts'
import { CLICKHOUSE, toNamed } from './dialect.ts'
import type { Named } from './dialect.ts'

/** What a filter may ask for. */
export const FILTER_COLUMNS =
  'id, started_at, ended_at, key_id, provider, model, status, cost_source, usage, dims, ' +
  'http_status, error_code, provider_error, streamed, billing, session'

/** A call ends after it began, but for a clock that was set back. */
const CLOCK_SLACK_MS = 3_600_000

/** What the order on the disk and the parts of the table help to find. */
export function toWithin(filter: RequestFilter): string {
  const { from, to } = toIdRange(filter)
  const { fromMs, endedFromMs, endedToMs } = filter
  const sinceMs = endedFromMs ?? (fromMs === null ? null : fromMs - CLOCK_SLACK_MS)
  const conditions = [
    toMonths(sinceMs, endedToMs),
    `id >= ${toIdLiteral(from)}`,
    `id < ${toIdLiteral(to)}`,
  ]
  // As bytes: a text of the caller's is in no text of SQL.
  if (filter.session !== null) {
    const named = toList(filter.session).map(
      (each) => `unhex('${Buffer.from(each).toString('hex')}')`,
    )
    conditions.push(`session IN (${named.join(', ')})`)
  }
  if (endedFromMs !== null) conditions.push(`ended_at >= ${endedFromMs}`)
  if (endedToMs !== null) conditions.push(`ended_at < ${endedToMs}`)
  return conditions.join(' AND ')
}

/** The rest of it. */
export function toFilter(filter: RequestFilter): Named {
  return toNamed(toConditions({ ...filter, endedFromMs: null, endedToMs: null }, CLICKHOUSE))
}

/** The bytes of an id, to compare with. */
export function toIdLiteral(bytes: Buffer): string {
  return `toUInt128('${BigInt(`0x${bytes.toString('hex')}`)}')`
}
