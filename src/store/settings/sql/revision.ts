// A number that every change raises, in the change's own transaction. A poller compares it, and
// reads the rest only when it differs.

import { assert } from '../../../core/assert.ts'
import type { SqliteFile } from '../../sqlite/file.ts'

export interface Revision {
  read(): number
  raise(): number
}

/** The table has one row. */
export function prepareRevision(
  file: SqliteFile,
  table: 'settings_revision' | 'price_revision' | 'budget_revision',
): Revision {
  const select = file.prepareOnce<{ revision: number }>(`SELECT revision FROM ${table}`)
  const raise = file.prepareOnce<{ revision: number }>(
    `UPDATE ${table} SET revision = revision + 1 RETURNING revision`,
  )
  function revisionOf(row: { revision: number } | null): number {
    assert(row !== null, `the table ${table} has its row`)
    return row.revision
  }
  return { read: () => revisionOf(select.first()), raise: () => revisionOf(raise.first()) }
}
