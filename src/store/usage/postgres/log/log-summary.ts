// How many calls a filter has, and what they cost.

import type { Sql } from '../../../sql/sql.ts'
import type { RequestFilter, RequestSummary } from '../../request-log.ts'
import { toConditions } from '../../sql/request-filter.ts'
import { POSTGRES } from '../dialect.ts'
import { scanLog } from './log-scan.ts'

const IS_COUNTED = `status <> 'denied'`
const FIGURES = `COUNT(*) AS calls, COUNT(*) FILTER (WHERE NOT (${IS_COUNTED})) AS denied,
  COUNT(*) FILTER (WHERE ${IS_COUNTED} AND cost_pico IS NULL) AS unpriced,
  COALESCE(SUM(cost_pico) FILTER (WHERE ${IS_COUNTED}), 0) AS cost`

interface FigureRow {
  readonly calls: number
  readonly denied: number
  readonly unpriced: number
  readonly cost: number | bigint
}

export async function summarizeLog(
  sql: Sql,
  filter: RequestFilter,
  scannedMax: number,
): Promise<RequestSummary> {
  const conditions = toConditions(filter, POSTGRES)
  const sum = { calls: 0, denied: 0, unpriced: 0, cost: 0n }
  const end = await scanLog(sql, filter, {
    scannedMax,
    isAllOrNone: false,
    use: async (calls, parameters) => {
      const text = `SELECT ${FIGURES} FROM ${calls} WHERE ${conditions.sql}`
      const row = await sql.first<FigureRow>(text, [...parameters, ...conditions.parameters])
      sum.calls += row?.calls ?? 0
      sum.denied += row?.denied ?? 0
      sum.unpriced += row?.unpriced ?? 0
      sum.cost += BigInt(row?.cost ?? 0)
    },
  })
  return { ...sum, isComplete: end === null }
}
