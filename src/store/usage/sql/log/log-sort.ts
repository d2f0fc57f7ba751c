// The calls of a filter by cost, duration or time. Must stay true: calls of one value are ordered
// by their ids, so that pages have every call, and none twice.

import type { Sql } from '../../../sql/sql.ts'
import type { RequestFilter, RequestOrder, SortedPage, SortCursor } from '../../request-log.ts'
import type { Dialect } from '../dialect.ts'
import { fromStoredId } from '../record-row.ts'
import { LONG_MS, partParameters } from './log-parts.ts'
import { scanLog } from './log-scan.ts'
import { findRecords } from './record-pages.ts'
import { parsePlace, toConditions } from './request-filter.ts'

// Costs as floating-point numbers: those beyond $9,000 that differ in the last digits only are
// ordered by their ids.
const KEYS: Readonly<Record<RequestOrder['by'], (dialect: Dialect) => string>> = {
  cost: ({ costNumber }) => costNumber,
  duration: () => 'CASE WHEN ended_at > started_at THEN ended_at - started_at ELSE 0 END',
  // The ids alone order them.
  time: () => '0',
}
const NUMBER = 'DOUBLE PRECISION'

interface KeyRow {
  readonly key: number
  readonly id: string
}

export interface SortOptions {
  readonly dialect: Dialect
  readonly order: RequestOrder
  readonly after: SortCursor | null
  readonly rowsMax: number
  readonly scannedMax: number
}

export async function sortLog(
  sql: Sql,
  filter: RequestFilter,
  { dialect, order, after, rowsMax, scannedMax }: SortOptions,
): Promise<SortedPage> {
  const { isAscending } = order
  const [isBehind, direction] = isAscending ? ['>', 'ASC'] : ['<', 'DESC']
  const conditions = toConditions(filter, dialect)
  // Where it is not known, it is last.
  const key = `COALESCE(CAST(${KEYS[order.by](dialect)} AS ${NUMBER}), CAST(? AS ${NUMBER}))`
  const last = isAscending ? Infinity : -Infinity
  const behind = after === null ? '' : `WHERE (key, id) ${isBehind} (CAST(? AS ${NUMBER}), ?)`
  const place = after === null ? [] : [after.key, dialect.toId(parsePlace(after.id))]
  // One more than wanted shows whether there is another page.
  const wanted = rowsMax + 1
  const found: KeyRow[] = []
  const end = await scanLog(sql, filter, {
    dialect,
    scannedMax,
    isAllOrNone: true,
    use: async (part) => {
      const rows = await sql.all<{ key: number; id: string | Uint8Array }>(
        `SELECT key, id
          FROM (SELECT ${key} AS key, id FROM ${part.sql} AND ${conditions.sql}) AS keyed
          ${behind} ORDER BY key ${direction}, id ${direction} LIMIT ?`,
        [last, ...partParameters(part, dialect), ...conditions.parameters, ...place, wanted],
      )
      found.push(...rows.map((row) => ({ key: row.key, id: fromStoredId(row.id) })))
    },
  })
  if (end !== null) {
    return { kind: 'too many', fromMs: toTime(end) + LONG_MS + 1, callsMax: scannedMax }
  }
  found.sort(isAscending ? compare : (one, other) => compare(other, one))
  const page = found.slice(0, rowsMax)
  const ids = page.map(({ id }) => id)
  const records = await findRecords(sql, ids, dialect)
  return {
    kind: 'page',
    records: ids.flatMap((id) => records.get(id) ?? []),
    next: found.length > rowsMax ? (page.at(-1) ?? null) : null,
  }
}

/** Ids compare as their bytes do. */
function compare(one: KeyRow, other: KeyRow): number {
  if (one.key !== other.key) return one.key - other.key
  return one.id < other.id ? -1 : 1
}

/** The time in an id. */
function toTime(id: string): number {
  return parsePlace(id).readUIntBE(0, 6)
}
