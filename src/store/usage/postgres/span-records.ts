// The calls that ended within a span. Must stay true: it finds all of them, however early they
// began: those away from their id's time have an index of their own.

import type { BudgetSpan } from '../../../core/budget.ts'
import type { Sql } from '../../sql/sql.ts'
import { ALL_REQUESTS } from '../request-log.ts'
import type { RequestFilter } from '../request-log.ts'
import { partBelow, partParameters, toParts } from '../sql/log-parts.ts'
import { toConditions } from '../sql/request-filter.ts'
import { toIdBytes } from '../sql/record-row.ts'
import { listDays, toSpanColumns, toSpanRecord } from '../sql/span-record.ts'
import type { SpanRecord } from '../sql/span-record.ts'
import { POSTGRES } from './dialect.ts'

/** Some megabytes in memory at a time. */
const PAGE_ROWS = 10_000

type Row = { readonly id: string } & Readonly<Record<string, unknown>>

const IS_FORWARDED = "status <> 'denied'"

/** Of forwarded calls, in any order. */
export async function* readSpanRecords(sql: Sql, span: BudgetSpan): AsyncGenerator<SpanRecord> {
  const columns = { span, columns: toSpanColumns(POSTGRES), where: IS_FORWARDED }
  for await (const values of readEnded(sql, columns)) {
    yield toSpanRecord(values)
  }
}

export interface EndedOptions {
  readonly span: BudgetSpan
  readonly columns: string
  readonly where: string
}

/** Of calls that ended in the span, page by page: the values of the columns, in their order. */
export async function* readEnded(
  sql: Sql,
  { span, columns, where }: EndedOptions,
): AsyncGenerator<readonly unknown[]> {
  const filter = toFilter(span)
  const conditions = toConditions(filter, POSTGRES)
  for (const whole of toParts(filter, POSTGRES)) {
    let part = whole
    for (;;) {
      const text = `SELECT id, ${columns} FROM ${part.sql} AND ${conditions.sql} AND ${where}
        ORDER BY id DESC LIMIT ${PAGE_ROWS}`
      const given = [...partParameters(part, POSTGRES), ...conditions.parameters]
      const rows = await sql.all<Row>(text, given)
      // The driver gives them in the order of the statement; the id is the first.
      for (const row of rows) yield Object.values(row).slice(1)
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE_ROWS) break
      part = partBelow(part, toIdBytes(last.id))
    }
  }
}

/** What forwarded calls cost that ended in the span. */
export async function sumSpanCosts(sql: Sql, span: BudgetSpan): Promise<bigint> {
  const filter = toFilter(span)
  const conditions = toConditions(filter, POSTGRES)
  let cost = 0n
  for (const part of toParts(filter, POSTGRES)) {
    const text = `SELECT COALESCE(SUM(cost_pico), 0) AS cost FROM ${part.sql}
      AND ${conditions.sql} AND ${IS_FORWARDED}`
    const given = [...partParameters(part, POSTGRES), ...conditions.parameters]
    const row = await sql.first<{ cost: number | bigint }>(text, given)
    cost += BigInt(row?.cost ?? 0)
  }
  return cost
}

/** As the sums say, of whole days. */
export async function countSpanRequests(sql: Sql, span: BudgetSpan): Promise<number> {
  const days = POSTGRES.isAmong('period', listDays(span))
  const row = await sql.first<{ requests: number }>(
    `SELECT COALESCE(SUM(requests), 0) AS requests FROM total_rollup
      WHERE ${days.sql} AND key_id = 0`,
    days.parameters,
  )
  return row?.requests ?? 0
}

function toFilter({ startMs, endMs }: BudgetSpan): RequestFilter {
  return { ...ALL_REQUESTS, endedFromMs: startMs, endedToMs: endMs }
}
