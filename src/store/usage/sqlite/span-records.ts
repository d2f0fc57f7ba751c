// The calls that ended within a span of whole UTC days. Must stay true: it finds all of them,
// however early they began, without reading every row: the rollups say how many there must be.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { BudgetSpan } from '../../../core/budget.ts'
import type { Money } from '../../../core/money.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { toPeriodNumber } from './question.ts'
import { readScope } from './rebuild-scope.ts'
import { fromStoredMoney, isStorableEnd } from './record-row.ts'
import { toTimeBytes } from './request-filter.ts'

/** Ids have a call's start. Nearly all calls that end in a span began in it or the day before. */
const BEGUN_BEFORE_MS = 86_400_000
const DAY_MS = 86_400_000
/** A call may end before it began by as much as the clock was set back. */
const CLOCK_SLACK_MS = 3_600_000
/** Rows examined on each side for missing calls: a second's work. */
const STRAGGLER_ROWS_MAX = 1_000_000

const COLUMNS = `key_id, provider, model, dims, CAST(cost_pico AS TEXT), request_bytes, output_tokens, ended_at`
const IN_SPAN = `status <> 'denied' AND ended_at >= ? AND ended_at < ?`
const WITHIN = `SELECT ${COLUMNS} FROM records WHERE id >= ? AND id < ? AND ${IN_SPAN}`
const EARLIER = `SELECT ${COLUMNS} FROM (SELECT * FROM records WHERE id < ?
  ORDER BY id DESC LIMIT ${STRAGGLER_ROWS_MAX}) WHERE ${IN_SPAN}`
const LATER = `SELECT ${COLUMNS} FROM (SELECT * FROM records WHERE id >= ?
  ORDER BY id LIMIT ${STRAGGLER_ROWS_MAX}) WHERE ${IN_SPAN}`

export interface SpanRecord {
  readonly keyId: string | null
  readonly provider: string
  readonly model: string | null
  /** The stored JSON, null for none. Few differ, so a reader can cache their meaning. */
  readonly dims: string | null
  /** Null where the cost is not known. */
  readonly amount: Money | null
  readonly requestBytes: number
  readonly outputTokens: number
  readonly endedAt: number
}

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

/** As the rollups number them. The first and last week reach beyond the storable days. */
export function listDays({ startMs, endMs }: BudgetSpan): readonly number[] {
  const days: number[] = []
  for (let atMs = startMs; atMs < endMs; atMs += DAY_MS) {
    const day = new Date(atMs).toISOString().slice(0, 10)
    if (isStorableEnd(atMs)) days.push(toPeriodNumber(day))
  }
  return days
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
    yield toSpanRecord(row as unknown as readonly SQLOutputValue[])
  }
}

function toSpanRecord(row: readonly SQLOutputValue[]): SpanRecord {
  const [keyId, provider, model, dims, cost, requestBytes, outputTokens, endedAt] = row
  return {
    keyId: keyId as string | null,
    provider: provider as string,
    model: model as string | null,
    dims: dims as string | null,
    amount: typeof cost === 'string' ? fromStoredMoney(cost) : null,
    requestBytes: requestBytes as number,
    outputTokens: (outputTokens as number | null) ?? 0,
    endedAt: endedAt as number,
  }
}
