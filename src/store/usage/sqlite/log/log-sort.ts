// The calls of a filter by cost, duration or time. Must stay true: calls of one value are ordered
// by their ids, so that pages have every call, and none twice.

import type { SqliteFile } from '../../../sqlite/file.ts'
import { SELECT_RECORDS, SQLITE } from '../dialect.ts'
import type { RequestFilter, RequestOrder, SortedPage, SortPlace } from '../../request-log.ts'
import { fromIdBytes, fromRecordRow } from '../../sql/record-row.ts'
import type { Row } from '../../sql/record-row.ts'
import { parsePlace, toConditions } from '../../sql/request-filter.ts'
import { scanLog } from './log-scan.ts'
import { LONG_MS, partParameters } from '../../sql/log-parts.ts'

// Costs as floating-point numbers: those beyond $9,000 that differ in the last digits only are
// ordered by their ids. One too large for an integer is a text after a sign.
const COST = `CAST(CASE typeof(cost_pico) WHEN 'text' THEN substr(cost_pico, 2) ELSE cost_pico END
  AS REAL)`

const KEYS: Readonly<Record<RequestOrder['by'], (last: string) => string>> = {
  // Where it is not known, it is last.
  cost: (last) => `COALESCE(${COST}, ${last})`,
  duration: () => 'max(0, ended_at - started_at)',
  // The ids alone order them.
  time: () => '0',
}

interface KeyRow {
  readonly key: number
  readonly id: Uint8Array
}

export interface SortOptions {
  readonly order: RequestOrder
  readonly after: SortPlace | null
  readonly rowsMax: number
  readonly scannedMax: number
}

/** To be called within one read of the file. */
export function sortLog(
  file: SqliteFile,
  filter: RequestFilter,
  { order, after, rowsMax, scannedMax }: SortOptions,
): SortedPage {
  const { isAscending } = order
  const [isBehind, direction] = isAscending ? ['>', 'ASC'] : ['<', 'DESC']
  const key = KEYS[order.by](isAscending ? '9e999' : '-9e999')
  const conditions = toConditions(filter, SQLITE)
  const behind = after === null ? '1' : `(${key}, id) ${isBehind} (?, ?)`
  const place = after === null ? [] : [after.key, parsePlace(after.id)]
  // One more than wanted shows whether there is another page.
  const wanted = rowsMax + 1
  let found: KeyRow[] = []
  const end = scanLog(file, filter, {
    scannedMax,
    use: (part) => {
      const sql = `SELECT ${key} AS key, id FROM ${part.sql} AND ${conditions.sql} AND ${behind}
        ORDER BY key ${direction}, id ${direction} LIMIT ?`
      const given = [...partParameters(part, SQLITE), ...conditions.parameters, ...place, wanted]
      const rows = [...found, ...file.prepare<KeyRow>(sql).all(...given)]
      found = rows.toSorted(isAscending ? compare : (one, other) => compare(other, one))
      found = found.slice(0, wanted)
    },
  })
  if (end !== null) {
    return { kind: 'too many', fromMs: toTime(end) + LONG_MS + 1, callsMax: scannedMax }
  }
  const page = found.slice(0, rowsMax)
  const last = found.length > rowsMax ? page.at(-1) : undefined
  const select = file.prepare<Row>(`${SELECT_RECORDS} WHERE id = ?`)
  return {
    kind: 'page',
    records: page.map(({ id }) => fromRecordRow(select.first(id) as Row)),
    next: last === undefined ? null : { key: last.key, id: fromIdBytes(last.id) },
  }
}

function compare(one: KeyRow, other: KeyRow): number {
  return one.key === other.key ? Buffer.compare(one.id, other.id) : one.key - other.key
}

/** The time in an id. */
function toTime(id: string): number {
  return parsePlace(id).readUIntBE(0, 6)
}
