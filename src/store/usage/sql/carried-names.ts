// The dimensions that a month begins with.

import { DIMS_PER_MONTH_MAX } from '../analysis.ts'

/** Names that had a place in the last month before and were used there, oldest first. */
export function selectCarriedNames(table: string): string {
  return `SELECT value FROM ${table} AS kept WHERE dim = 0
    AND month = (SELECT MAX(month) FROM ${table} WHERE month > 0 AND month < ?)
    AND EXISTS (SELECT 1 FROM dim_key_rollup WHERE period = kept.month AND dim_key = kept.value)
    ORDER BY place LIMIT ${DIMS_PER_MONTH_MAX}`
}
