// The calls that ended within a span of whole UTC days. Must stay true: it finds all of them,
// however early they began, without reading every row: the rollups say how many there must be.

import type { SQLInputValue } from 'node:sqlite'
import type { BudgetSpan } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { SQLITE } from './dialect.ts'
import { readScope } from './rebuild-scope.ts'
import { listDays, toSpanColumns, toSpanRecord } from '../sql/span-record.ts'
import type { SpanRecord } from '../sql/span-record.ts'
import { toTimeBytes } from '../sql/request-filter.ts'

/** Ids have a call's start. Nearly all calls that end in a span began in it or the day before. */
const BEGUN_BEFORE_MS = 86_400_000
/** A call may end before it began by as much as the clock was set back. */
const CLOCK_SLACK_MS = 3_600_000
/** Rows examined on each side for missing calls: a second's work. */
const STRAGGLER_ROWS_MAX = 1_000_000

const COLUMNS = toSpanColumns(SQLITE)
const IN_SPAN = `status <> 'denied' AND ended_at >= ? AND ended_at < ?`
const WITHIN = `SELECT ${COLUMNS} FROM records WHERE id >= ? AND id < ? AND ${IN_SPAN}`
const EARLIER = `SELECT ${COLUMNS} FROM (SELECT * FROM records WHERE id < ?
  ORDER BY id DESC LIMIT ${STRAGGLER_ROWS_MAX}) WHERE ${IN_SPAN}`
const LATER = `SELECT ${COLUMNS} FROM (SELECT * FROM records WHERE id >= ?
  ORDER BY id LIMIT ${STRAGGLER_ROWS_MAX}) WHERE ${IN_SPAN}`

/** Of forwarded calls, in any order. */
export function* readSpanRecords(file: SqliteFile, span: BudgetSpan): Generator<SpanRecord> {
  const { startMs, endMs } = span
  let missing = countSpanRequests(file, span)
  if (missing === 0) return
  const from = toTimeBytes(startMs - BEGUN_BEFORE_MS)
  const to = toTimeBytes(endMs + CLOCK_SLACK_MS)
  for (const record of select(file, WITHIN, [from, to, startMs, endMs])) {
    missing -= 1
    yield record
  }
  // Removed records cannot be found.
  if (missing <= 0 || !areRecordsWhole(file, span)) return
  for (const [sql, place] of [[EARLIER, from] as const, [LATER, to] as const]) {
    for (const record of select(file, sql, [place, startMs, endMs])) {
      missing -= 1
      yield record
      if (missing === 0) return
    }
  }
}

/** False when retention has removed some of the span's records. Their rollups remain. */
export function areRecordsWhole(file: SqliteFile, { startMs }: BudgetSpan): boolean {
  return readScope(file).fromMs <= startMs
}

/** As the sums say, of whole days. */
export function countSpanRequests(file: SqliteFile, span: BudgetSpan): number {
  const sql = `SELECT COALESCE(SUM(requests), 0) AS requests FROM total_rollup
    WHERE period IN (SELECT value FROM json_each(?)) AND key_id = 0`
  const row = file.prepare<{ requests: number }>(sql).first(JSON.stringify(listDays(span)))
  return row?.requests ?? 0
}

function* select(
  { database }: SqliteFile,
  sql: string,
  parameters: readonly SQLInputValue[],
): Generator<SpanRecord> {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  for (const row of statement.iterate(...parameters)) {
    yield toSpanRecord(row as unknown as readonly unknown[])
  }
}
