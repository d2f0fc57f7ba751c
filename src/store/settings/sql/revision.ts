// A number that every change raises, in the change's own transaction. A poller compares it, and
// reads the rest only when it differs. Must stay true: it is a row that is locked until the change
// is committed, never a sequence, or a poller could see a number before the changes below it.

import { assert } from '../../../core/assert.ts'
import type { Sql } from '../../sql/sql.ts'

/** A table with one row. */
export type RevisionTable = 'settings_revision' | 'price_revision' | 'budget_revision'

interface RevisionRow {
  readonly revision: number
}

export async function readRevision(sql: Sql, table: RevisionTable): Promise<number> {
  return toRevision(await sql.first<RevisionRow>(`SELECT revision FROM ${table}`), table)
}

/** Only inside a transaction. */
export async function raiseRevision(sql: Sql, table: RevisionTable): Promise<number> {
  const text = `UPDATE ${table} SET revision = revision + 1 RETURNING revision`
  return toRevision(await sql.first<RevisionRow>(text), table)
}

function toRevision(row: RevisionRow | null, table: RevisionTable): number {
  assert(row !== null, `the table ${table} has its row`)
  return row.revision
}
