// How many calls a filter has, and what they cost.

import type { Sql } from '../../../sql/sql.ts'
import type { RequestFilter, RequestSummary } from '../../request-log.ts'
import type { Dialect } from '../dialect.ts'
import { fromCostSum } from '../figure-columns.ts'
import { partParameters } from './log-parts.ts'
import { scanLog } from './log-scan.ts'
import { toConditions } from './request-filter.ts'

const IS_COUNTED = `status <> 'denied'`

interface FigureRow {
  readonly calls: number
  readonly denied: number
  readonly unpriced: number
  readonly cost: string
}

export async function summarizeLog(
  sql: Sql,
  filter: RequestFilter,
  { dialect, scannedMax }: { readonly dialect: Dialect; readonly scannedMax: number },
): Promise<RequestSummary> {
  const figures = `COUNT(*) AS calls, COUNT(*) FILTER (WHERE NOT (${IS_COUNTED})) AS denied,
    COUNT(*) FILTER (WHERE ${IS_COUNTED} AND cost_pico IS NULL) AS unpriced,
    ${dialect.sumCosts(IS_COUNTED)} AS cost`
  const conditions = toConditions(filter, dialect)
  const sum = { calls: 0, denied: 0, unpriced: 0, cost: 0n }
  const end = await scanLog(sql, filter, {
    dialect,
    scannedMax,
    isAllOrNone: false,
    use: async (part) => {
      const row = (await sql.first<FigureRow>(
        `SELECT ${figures} FROM ${part.sql} AND ${conditions.sql}`,
        [...partParameters(part, dialect), ...conditions.parameters],
      )) as FigureRow
      sum.calls += row.calls
      sum.denied += row.denied
      sum.unpriced += row.unpriced
      sum.cost += fromCostSum(row.cost)
    },
  })
  return { ...sum, isComplete: end === null }
}
