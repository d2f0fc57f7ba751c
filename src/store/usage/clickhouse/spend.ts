// What calls in ClickHouse come to, by what budgets tell apart, added up by the server.

import type { BudgetSpan } from '../../../core/budget.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import { CALL_TOKENS_MAX } from '../rollup.ts'
import { toSpendSum } from '../spend-sums.ts'
import type { SpendGroups, SpendSum } from '../spend-sums.ts'
import type { Condition } from '../sql/dialect.ts'
import { selectCurrent, toEnded } from './current-calls.ts'
import { CLICKHOUSE, toNamed } from './dialect.ts'
import type { BatchCondition } from './batch-condition.ts'

const COLUMNS = 'provider, model, key_id, dims, cost_pico, request_bytes, output_tokens, sign'
const COSTS = 'cost_pico > 0'
const TOKENS = 'ifNull(output_tokens, 0)'
/** In the order of toSpendSum, and how many rows take others back. */
const FIGURES = `toString(sum(ifNull(cost_pico, 0) * sign)) AS spent,
  sum(isNull(cost_pico) * sign) AS unpriced,
  sumIf(sign, ${COSTS}) AS calls,
  toString(sumIf(ifNull(cost_pico, 0) * sign, ${COSTS})) AS calls_cost,
  toString(sumIf(toInt128(greatest(request_bytes, 0)) * sign, ${COSTS})) AS bytes,
  toString(sumIf(toInt128(greatest(${TOKENS}, 0)) * sign,
    ${COSTS} AND ${TOKENS} <= ${CALL_TOKENS_MAX})) AS tokens,
  toString(ifNull(maxIf(cost_pico, ${COSTS} AND sign = 1), 0)) AS largest,
  countIf(sign = -1) AS taken_back`

export interface SpendOptions {
  readonly moment: BatchCondition
  readonly pieces: readonly BudgetSpan[]
  readonly groups: SpendGroups
}

export async function* readSpend(
  calls: ClickhouseDatabase,
  { moment, pieces, groups }: SpendOptions,
): AsyncGenerator<SpendSum> {
  const { columns, names, where } = toGroups(groups)
  for (const { startMs, endMs } of pieces) {
    const isInPiece = `${toEnded(startMs, endMs)} AND status != 'denied'`
    const sum = async (source: string): Promise<readonly (readonly unknown[])[]> => {
      const text = `SELECT ${columns.sql}, ${FIGURES} FROM ${source} GROUP BY ${names}`
      const named = toNamed({ sql: text, parameters: [...columns.parameters, ...where.parameters] })
      const rows = await calls.all<Readonly<Record<string, unknown>>>(named.sql, named.values)
      return rows.map((row) => Object.values(row))
    }
    let rows = await sum(`calls WHERE ${moment} AND ${isInPiece} AND ${where.sql}`)
    // Sums are right either way. The largest cost may be one that was changed.
    if (rows.some((row) => row.at(-1) !== 0)) {
      const current = { moment, columns: COLUMNS, where: `${isInPiece} AND ${where.sql}` }
      rows = await sum(`(${selectCurrent(current)})`)
    }
    for (const row of rows) yield toSpendSum(row, groups)
  }
}

interface Groups {
  readonly columns: Condition
  readonly names: string
  readonly where: Condition
}

/** Where only dimensions matter, calls without any of them are left out. */
function toGroups({ isByModel, isByKey, dims }: SpendGroups): Groups {
  const has = Array.from(dims, ([key, values]) => ({ key, ...CLICKHOUSE.hasDim(key, values) }))
  const columns = has.map(({ sql }, place) => `if(${sql}, dims[?], NULL) AS dim_${place}`)
  const names = has.map((_, place) => `dim_${place}`)
  const model = isByModel ? 'provider, model' : "'' AS provider, NULL AS model"
  const key = isByKey ? 'key_id' : 'NULL AS key_id'
  return {
    columns: {
      sql: [model, key, ...columns].join(', '),
      parameters: has.flatMap(({ key, parameters }) => [...parameters, key]),
    },
    names: [
      ...(isByModel ? ['provider', 'model'] : []),
      ...(isByKey ? ['key_id'] : []),
      ...names,
    ].join(', '),
    where:
      isByModel || isByKey
        ? { sql: 'TRUE', parameters: [] }
        : {
            sql: `(${has.map(({ sql }) => sql).join(' OR ')})`,
            parameters: has.flatMap(({ parameters }) => parameters),
          },
  }
}
