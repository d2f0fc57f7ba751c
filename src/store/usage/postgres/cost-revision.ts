// A word that changes with every step of a repricing and every rebuild.

import type { Sql } from '../../sql/sql.ts'
import { COST_CHANGES } from '../sql/repricings.ts'

export async function readCostRevision(sql: Sql): Promise<string> {
  const row = await sql.first<{ revision: string }>(
    `SELECT (SELECT rebuilds FROM usage_state) || '.' || ${COST_CHANGES} AS revision
      FROM repricings`,
  )
  return row?.revision ?? ''
}
