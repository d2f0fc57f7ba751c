// What calls in PostgreSQL come to, by what budgets tell apart, added up by the server.

import type { BudgetSpan } from '../../../core/budget.ts'
import type { Sql, SqlValue } from '../../sql/sql.ts'
import { ALL_REQUESTS } from '../request-log.ts'
import { CALL_TOKENS_MAX } from '../rollup.ts'
import { toSpendSum } from '../spend-sums.ts'
import type { SpendGroups, SpendSum } from '../spend-sums.ts'
import { partParameters, toParts } from '../sql/log-parts.ts'
import { toConditions } from '../sql/request-filter.ts'
import { listPieces } from '../sql/span-pieces.ts'
import { POSTGRES } from './dialect.ts'

const COSTS = 'cost_pico > 0'
/** In the order of toSpendSum. */
const FIGURES = `SUM(cost_pico) AS spent, COUNT(*) FILTER (WHERE cost_pico IS NULL) AS unpriced,
  COUNT(*) FILTER (WHERE ${COSTS}) AS calls, SUM(cost_pico) FILTER (WHERE ${COSTS}) AS calls_cost,
  SUM(GREATEST(request_bytes, 0)) FILTER (WHERE ${COSTS}) AS bytes,
  SUM(GREATEST(output_tokens, 0))
    FILTER (WHERE ${COSTS} AND output_tokens <= ${CALL_TOKENS_MAX}) AS tokens,
  MAX(cost_pico) FILTER (WHERE ${COSTS}) AS largest`

export async function* readSpend(
  sql: Sql,
  span: BudgetSpan,
  groups: SpendGroups,
): AsyncGenerator<SpendSum> {
  const columns = toColumns(groups)
  for (const { startMs, endMs } of await listPieces(sql, span)) {
    const filter = { ...ALL_REQUESTS, endedFromMs: startMs, endedToMs: endMs }
    const conditions = toConditions(filter, POSTGRES)
    for (const part of toParts(filter, POSTGRES)) {
      const text = `SELECT ${columns.sql}, ${FIGURES} FROM ${part.sql} AND ${conditions.sql}
        AND status <> 'denied' GROUP BY ${columns.places}`
      const rows = await sql.all<Readonly<Record<string, unknown>>>(text, [
        ...columns.parameters,
        ...partParameters(part, POSTGRES),
        ...conditions.parameters,
      ])
      // The driver gives them in the order of the statement.
      for (const row of rows) yield toSpendSum(Object.values(row), groups)
    }
  }
}

interface Columns {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  /** Their numbers in the statement: an expression with parameters equals no other. */
  readonly places: string
}

function toColumns({ isByModel, dims }: SpendGroups): Columns {
  const columns = isByModel
    ? ['provider', 'model']
    : ["''::text AS provider", 'NULL::text AS model']
  const parameters: SqlValue[] = []
  for (const [key, values] of dims) {
    const has = POSTGRES.hasDim(key, values)
    parameters.push(...has.parameters, key)
    const place = columns.length - 1
    columns.push(`CASE WHEN ${has.sql} THEN dims::json ->> ?::text END AS dim_${place}`)
  }
  const places = columns.map((_, index) => index + 1).join(', ')
  return { sql: columns.join(', '), parameters, places }
}
