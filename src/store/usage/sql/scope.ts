// From when on the records are complete.

import type { BudgetSpan } from '../../../core/budget.ts'
import type { Sql } from '../../sql/sql.ts'
import { toScope } from './rebuild-scope.ts'
import type { RebuildScope } from './rebuild-scope.ts'

export async function readScope(sql: Sql): Promise<RebuildScope> {
  const row = await sql.first<{ removed_before: number | null }>(
    'SELECT removed_before FROM usage_state',
  )
  return toScope(row?.removed_before ?? null)
}

/** False when retention has removed some of the span's records. Their rollups remain. */
export async function areRecordsWhole(sql: Sql, { startMs }: BudgetSpan): Promise<boolean> {
  return (await readScope(sql)).fromMs <= startMs
}
