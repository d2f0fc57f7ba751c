// The calls that ended within a span. Must stay true: it finds all of them, however early they
// began: those away from their id's time have indexes of their own.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Money } from '../../../../core/money.ts'
import type { Sql } from '../../../sql/sql.ts'
import { ALL_REQUESTS } from '../../request-log.ts'
import type { Condition, Dialect } from '../dialect.ts'
import { fromCostSum } from '../figure-columns.ts'
import { partBelow, partParameters, toParts } from '../log/log-parts.ts'
import type { LogPart } from '../log/log-parts.ts'
import { toConditions, toTimeBytes } from '../log/request-filter.ts'
import { toNextMonth, toNumber } from '../period-ranges.ts'
import { fromStoredId, toIdBytes } from '../record-row.ts'
import { listDays, toCallCost, toCostColumns } from './span-record.ts'
import type { CallCost } from './span-record.ts'

/** Some megabytes in memory at a time. */
const PAGE_ROWS = 10_000

export const IS_FORWARDED = "status <> 'denied'"

/** Of forwarded calls, in any order. */
export async function* readSpanRecords(
  sql: Sql,
  span: BudgetSpan,
  dialect: Dialect,
): AsyncGenerator<CallCost> {
  const asked = { span, columns: toCostColumns(dialect), where: IS_FORWARDED }
  for await (const page of readEnded(sql, asked, dialect)) {
    for (const row of page) yield toCallCost(row)
  }
}

export interface EndedOptions {
  readonly span: BudgetSpan
  readonly columns: string
  readonly where: string
}

/**
 * Of calls that ended in the span: the values of the columns, in their order. In pages, as a step
 * of a generator for each row takes a tenth of the time to read it.
 */
export async function* readEnded(
  sql: Sql,
  { span, columns, where }: EndedOptions,
  dialect: Dialect,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  for (const { part: whole, conditions } of listEnded(span, dialect)) {
    let part = whole
    for (;;) {
      const rows = await sql.lists<readonly unknown[]>(
        `SELECT ${columns}, id FROM ${part.sql} AND ${conditions.sql} AND ${where}
          ORDER BY id DESC LIMIT ${PAGE_ROWS}`,
        [...partParameters(part, dialect), ...conditions.parameters],
      )
      yield rows
      if (rows.length < PAGE_ROWS) break
      const last = rows.at(-1)?.at(-1) as string | Uint8Array
      part = partBelow(part, toIdBytes(fromStoredId(last)))
    }
  }
}

export interface EndedPart {
  readonly part: LogPart
  /** What its calls must meet besides. */
  readonly conditions: Condition
}

/** Where the calls are that ended in the span. */
export function listEnded({ startMs, endMs }: BudgetSpan, dialect: Dialect): readonly EndedPart[] {
  const filter = { ...ALL_REQUESTS, endedFromMs: startMs, endedToMs: endMs }
  const conditions = toConditions(filter, dialect)
  return toParts(filter, dialect).map((part) => ({ part, conditions }))
}

const TIME_BYTES = 6
const DAY_MS = 86_400_000

/** In which calls ended, and perhaps some more. */
export async function listMonths(sql: Sql, dialect: Dialect): Promise<readonly number[]> {
  const months = new Set<number>()
  // Ids begin with the time of a call's start; nearly all calls end in its month or the next.
  for (let from = toTimeBytes(0); ;) {
    const text = 'SELECT id FROM records WHERE id >= ? ORDER BY id LIMIT 1'
    const row = await sql.first<{ id: string | Uint8Array }>(text, [dialect.toId(from)])
    if (row === null) break
    const startedAt = toIdBytes(fromStoredId(row.id)).readUIntBE(0, TIME_BYTES)
    const nextMs = toNextMonth(startedAt)
    months.add(toNumber(startedAt, 'month')).add(toNumber(nextMs, 'month'))
    from = toTimeBytes(nextMs)
  }
  for (const calls of [dialect.longCalls, dialect.backCalls]) {
    const text = `SELECT DISTINCT ended_at / ${DAY_MS} AS day FROM ${calls}`
    for (const { day } of await sql.all<{ day: number }>(text)) {
      months.add(toNumber(day * DAY_MS, 'month'))
    }
  }
  return [...months]
}

/** What forwarded calls cost that ended in the span. */
export async function sumSpanCosts(sql: Sql, span: BudgetSpan, dialect: Dialect): Promise<Money> {
  let cost = 0n
  for (const { part, conditions } of listEnded(span, dialect)) {
    const row = await sql.first<{ cost: string }>(
      `SELECT ${dialect.sumCosts('TRUE')} AS cost FROM ${part.sql} AND ${conditions.sql}
        AND ${IS_FORWARDED}`,
      [...partParameters(part, dialect), ...conditions.parameters],
    )
    cost += fromCostSum(row?.cost ?? '0')
  }
  return cost
}

/** As the sums say, of whole days. */
export async function countSpanRequests(
  sql: Sql,
  span: BudgetSpan,
  dialect: Dialect,
): Promise<number> {
  const days = dialect.isAmong('period', listDays(span))
  const row = await sql.first<{ requests: number }>(
    `SELECT COALESCE(SUM(requests), 0) AS requests FROM total_rollup
      WHERE ${days.sql} AND key_id = 0`,
    days.parameters,
  )
  return row?.requests ?? 0
}
