// Which rollups can be summed again, by what retention has removed.

import type { SqliteFile } from '../../sqlite/file.ts'
import { toScope } from '../sql/rebuild-scope.ts'
import type { RebuildScope } from '../sql/rebuild-scope.ts'

export function readScope(file: SqliteFile): RebuildScope {
  const sql = 'SELECT removed_before FROM usage_state'
  const row = file.prepare<{ removed_before: number | null }>(sql).first()
  return toScope(row?.removed_before ?? null)
}
