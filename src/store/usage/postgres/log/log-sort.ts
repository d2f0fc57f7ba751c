// The calls of a filter by cost, duration or time. Must stay true: calls of one value are ordered
// by their ids, so that pages have every call, and none twice.

import type { Sql } from '../../../sql/sql.ts'
import type { RequestFilter, RequestOrder, SortedPage, SortPlace } from '../../request-log.ts'
import { LONG_MS } from '../../sql/log-parts.ts'
import { fromRecordRow, SELECT_COLUMNS } from '../../sql/record-row.ts'
import type { Row } from '../../sql/record-row.ts'
import { parsePlace, toConditions } from '../../sql/request-filter.ts'
import { POSTGRES } from '../dialect.ts'
import { scanLog } from './log-scan.ts'

// Costs as floating-point numbers: those beyond $9,000 that differ in the last digits only are
// ordered by their ids.
const KEYS: Readonly<Record<RequestOrder['by'], (last: string) => string>> = {
  // Where it is not known, it is last.
  cost: (last) => `COALESCE(cost_pico::float8, ${last})`,
  duration: () => 'GREATEST(0, ended_at - started_at)::float8',
  // The ids alone order them.
  time: () => '0::float8',
}

interface KeyRow {
  readonly key: number
  readonly id: string
}

export interface SortOptions {
  readonly order: RequestOrder
  readonly after: SortPlace | null
  readonly rowsMax: number
  readonly scannedMax: number
}

export async function sortLog(
  sql: Sql,
  filter: RequestFilter,
  { order, after, rowsMax, scannedMax }: SortOptions,
): Promise<SortedPage> {
  const { isAscending } = order
  const [isBehind, direction] = isAscending ? ['>', 'ASC'] : ['<', 'DESC']
  const key = KEYS[order.by](isAscending ? "'Infinity'::float8" : "'-Infinity'::float8")
  const conditions = toConditions(filter, POSTGRES)
  const behind = after === null ? 'TRUE' : `(${key}, id) ${isBehind} (?::float8, ?::uuid)`
  const place = after === null ? [] : [after.key, POSTGRES.toId(parsePlace(after.id))]
  // One more than wanted shows whether there is another page.
  const wanted = rowsMax + 1
  const found: KeyRow[] = []
  const end = await scanLog(sql, filter, {
    scannedMax,
    isAllOrNone: true,
    use: async (calls, parameters) => {
      const text = `SELECT ${key} AS key, id FROM ${calls} WHERE ${conditions.sql} AND ${behind}
        ORDER BY key ${direction}, id ${direction} LIMIT ?`
      const given = [...parameters, ...conditions.parameters, ...place, wanted]
      found.push(...(await sql.all<KeyRow>(text, given)))
    },
  })
  if (end !== null) {
    return { kind: 'too many', fromMs: toTime(end) + LONG_MS + 1, callsMax: scannedMax }
  }
  found.sort(isAscending ? compare : (one, other) => compare(other, one))
  const page = found.slice(0, rowsMax)
  const last = found.length > rowsMax ? page.at(-1) : undefined
  return {
    kind: 'page',
    records: await readRecords(sql, page),
    next: last === undefined ? null : { key: last.key, id: last.id },
  }
}

/** In the order of the keys. */
async function readRecords(sql: Sql, page: readonly KeyRow[]) {
  const ids = `{${page.map(({ id }) => id).join(',')}}`
  const text = `SELECT ${SELECT_COLUMNS} FROM records WHERE id = ANY (?::uuid[])`
  const rows = new Map((await sql.all<Row>(text, [ids])).map((row) => [row['id'], row]))
  return page.map(({ id }) => fromRecordRow(rows.get(id) as Row))
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
