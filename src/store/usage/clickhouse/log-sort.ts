// The calls of a filter by cost, duration or time. Must stay true: calls of one value are ordered
// by their ids, so that pages have every call, and none twice.

import type { UsageRecord } from '../../../core/usage-record.ts'
import type { ClickhouseDatabase, ClickhouseValues } from '../../clickhouse/database.ts'
import type { RequestOrder, SortedPage, SortCursor } from '../request-log.ts'
import { LONG_MS } from '../sql/log/log-parts.ts'
import { parsePlace } from '../sql/log/request-filter.ts'
import { fromIdHex, toIdNumber } from './call-columns.ts'
import { selectCurrent } from './current-calls.ts'
import { FILTER_COLUMNS } from './log-filter.ts'

// Costs as floating-point numbers: those beyond $9,000 that differ in the last digits only are
// ordered by their ids.
const KEYS: Readonly<Record<RequestOrder['by'], (last: string) => string>> = {
  // Where it is not known, it is last.
  cost: (last) => `ifNull(toFloat64(cost_pico), ${last})`,
  duration: () => 'toFloat64(greatest(0, ended_at - started_at))',
  // The ids alone order them.
  time: () => 'toFloat64(0)',
}

export interface SortedCalls {
  readonly moment: string
  /** Where they are; and the conditions that are left, with their values. */
  readonly within: string
  readonly sql: string
  readonly values: ClickhouseValues
}

export interface SortOptions {
  readonly order: RequestOrder
  readonly after: SortCursor | null
  readonly rowsMax: number
  readonly scannedMax: number
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, UsageRecord>>
}

export async function sortCalls(
  calls: ClickhouseDatabase,
  { moment, within, sql, values }: SortedCalls,
  { order, after, rowsMax, scannedMax, find }: SortOptions,
): Promise<SortedPage> {
  const fromMs = await findLimit(calls, `${moment} AND sign = 1 AND ${within}`, scannedMax)
  if (fromMs !== null) return { kind: 'too many', fromMs, callsMax: scannedMax }
  const [isBehind, direction] = order.isAscending ? ['>', 'ASC'] : ['<', 'DESC']
  const key = KEYS[order.by](order.isAscending ? 'inf' : '-inf')
  const behind =
    after === null ? 'TRUE' : `(key, id) ${isBehind} (${toFloat(after.key)}, ${toId(after.id)})`
  const columns = `${FILTER_COLUMNS}, ${key} AS key`
  // One more than wanted shows whether there is another page.
  const found = await calls.all<{ key: number | null; hex: string }>(
    `SELECT key, hex(id) AS hex FROM (${selectCurrent({ moment, columns, where: within })})
      WHERE ${sql} AND ${behind} ORDER BY key ${direction}, id ${direction} LIMIT ${rowsMax + 1}`,
    values,
  )
  const page = found.slice(0, rowsMax).map(({ key: value, hex }) => ({
    // JSON has no infinity.
    key: value ?? (order.isAscending ? Infinity : -Infinity),
    id: fromIdHex(hex),
  }))
  const records = await find(page.map(({ id }) => id))
  return {
    kind: 'page',
    records: page.flatMap(({ id }) => records.get(id) ?? []),
    next: found.length > rowsMax ? (page.at(-1) ?? null) : null,
  }
}

/** From when on calls must end to be few enough; null where all are. Newest first, so no more. */
async function findLimit(
  calls: ClickhouseDatabase,
  where: string,
  scannedMax: number,
): Promise<number | null> {
  const [row] = await calls.all<{ hex: string }>(
    `SELECT hex(id) AS hex FROM calls WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ${scannedMax}`,
  )
  return row === undefined ? null : toTime(fromIdHex(row.hex)) + LONG_MS + 1
}

/** The time in an id. */
function toTime(id: string): number {
  return parsePlace(id).readUIntBE(0, 6)
}

function toFloat(key: number): string {
  if (key === Infinity) return 'inf'
  return key === -Infinity ? '-inf' : `toFloat64(${key})`
}

function toId(id: string): string {
  return `toUInt128('${toIdNumber(id)}')`
}
