// What calls come to, by what budgets tell apart, added up by the engine.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Sql, SqlValue } from '../../../sql/sql.ts'
import { CALL_TOKENS_MAX } from '../../rollup.ts'
import { toSpendSum } from '../../spend-sums.ts'
import type { SpendGroups, SpendSum } from '../../spend-sums.ts'
import type { Dialect } from '../dialect.ts'
import { partParameters } from '../log/log-parts.ts'
import { listPieces } from './span-pieces.ts'
import { IS_FORWARDED, listEnded } from './span-records.ts'

export async function* readSpend(
  sql: Sql,
  span: BudgetSpan,
  { groups, dialect }: { readonly groups: SpendGroups; readonly dialect: Dialect },
): AsyncGenerator<SpendSum> {
  const columns = toColumns(groups, dialect)
  const figures = toFigures(dialect)
  for (const piece of await listPieces(sql, span)) {
    for (const { part, conditions } of listEnded(piece, dialect)) {
      const rows = await sql.lists<readonly unknown[]>(
        `SELECT ${columns.sql}, ${figures} FROM ${part.sql} AND ${conditions.sql}
          AND ${IS_FORWARDED} GROUP BY ${columns.places}`,
        [...columns.parameters, ...partParameters(part, dialect), ...conditions.parameters],
      )
      for (const row of rows) yield toSpendSum(row, groups)
    }
  }
}

/** In the order of toSpendSum. */
function toFigures({ isCharged, sumCosts, largestCost, total }: Dialect): string {
  const positive = (column: string): string => `CASE WHEN ${column} > 0 THEN ${column} ELSE 0 END`
  return `${sumCosts('TRUE')} AS spent, COUNT(*) FILTER (WHERE cost_pico IS NULL) AS unpriced,
    COUNT(*) FILTER (WHERE ${isCharged}) AS calls, ${sumCosts(isCharged)} AS calls_cost,
    ${total(positive('request_bytes'))} FILTER (WHERE ${isCharged}) AS bytes,
    ${total(positive('output_tokens'))}
      FILTER (WHERE ${isCharged} AND output_tokens <= ${CALL_TOKENS_MAX}) AS tokens,
    ${largestCost(isCharged)} AS largest`
}

interface Columns {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  /** Their numbers in the statement: an expression with parameters equals no other. */
  readonly places: string
}

function toColumns({ isByModel, isByKey, dims }: SpendGroups, dialect: Dialect): Columns {
  const columns = isByModel
    ? ['provider', 'model']
    : ["CAST('' AS TEXT) AS provider", 'CAST(NULL AS TEXT) AS model']
  columns.push(isByKey ? 'key_id' : 'CAST(NULL AS TEXT) AS key_id')
  const parameters: SqlValue[] = []
  for (const [key, values] of dims) {
    const [has, value] = [dialect.hasDim(key, values), dialect.dimValue(key)]
    parameters.push(...has.parameters, ...value.parameters)
    columns.push(`CASE WHEN ${has.sql} THEN ${value.sql} END AS dim_${columns.length - 1}`)
  }
  const places = columns.map((_, index) => index + 1).join(', ')
  return { sql: columns.join(', '), parameters, places }
}
