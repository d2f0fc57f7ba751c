// How many calls a filter has, and what they cost.

import type { Money } from '../../../../core/money.ts'
import type { SqliteFile } from '../../../sqlite/file.ts'
import { SQLITE } from '../dialect.ts'
import type { RequestFilter, RequestSummary } from '../../request-log.ts'
import { fromStoredMoney } from '../../sql/record-row.ts'
import { toConditions } from '../../sql/request-filter.ts'
import { scanLog } from './log-scan.ts'
import { partParameters } from '../../sql/log-parts.ts'

// Dollars and remainders are summed by themselves: a sum of 1e-12 dollars could overflow. Costs too
// large for an integer are texts, and are added one by one.
const PICO = 1_000_000_000_000n
const IS_COUNTED = `status <> 'denied'`
const IS_NUMBER = `${IS_COUNTED} AND typeof(cost_pico) = 'integer'`
const FIGURES = `COUNT(*) AS calls, COUNT(*) FILTER (WHERE NOT (${IS_COUNTED})) AS denied,
  COUNT(*) FILTER (WHERE ${IS_COUNTED} AND cost_pico IS NULL) AS unpriced,
  CAST(COALESCE(SUM(cost_pico / ${PICO}) FILTER (WHERE ${IS_NUMBER}), 0) AS TEXT) AS dollars,
  CAST(COALESCE(SUM(cost_pico % ${PICO}) FILTER (WHERE ${IS_NUMBER}), 0) AS TEXT) AS remainders,
  GROUP_CONCAT(cost_pico) FILTER (WHERE ${IS_COUNTED} AND typeof(cost_pico) = 'text') AS large`

interface FigureRow {
  readonly calls: number
  readonly denied: number
  readonly unpriced: number
  readonly dollars: string
  readonly remainders: string
  readonly large: string | null
}

/** To be called within one read of the file. */
export function summarizeLog(
  file: SqliteFile,
  filter: RequestFilter,
  scannedMax: number,
): RequestSummary {
  const conditions = toConditions(filter, SQLITE)
  const sum = { calls: 0, denied: 0, unpriced: 0, cost: 0n }
  const end = scanLog(file, filter, {
    scannedMax,
    use: (part) => {
      const sql = `SELECT ${FIGURES} FROM ${part.sql} AND ${conditions.sql}`
      const select = file.prepare<FigureRow>(sql)
      const row = select.first(
        ...partParameters(part, SQLITE),
        ...conditions.parameters,
      ) as FigureRow
      sum.calls += row.calls
      sum.denied += row.denied
      sum.unpriced += row.unpriced
      sum.cost += toCost(row)
    },
  })
  return { ...sum, isComplete: end === null }
}

function toCost({ dollars, remainders, large }: FigureRow): Money {
  const costs = large === null ? [] : large.split(',').map(fromStoredMoney)
  const sum = BigInt(dollars) * PICO + BigInt(remainders)
  return costs.reduce((before, cost) => before + cost, sum)
}
