// A number that every change raises, in the change's own transaction. A poller compares it, and
// reads the rest only when it differs. Must stay true: it is a row that is locked until the change
// is committed, never a sequence, or a poller could see a number before the changes below it.
//
// A database that is another than before may have any number: what a poller is given is higher in
// every epoch, so that it never takes one for what it knows.

import { assert } from '../../../core/assert.ts'
import type { Epoch, Sql } from '../../sql/sql.ts'

/** A table with one row. */
export type RevisionTable = `${'settings' | 'price' | 'budget' | 'team'}_revision`

interface RevisionRow {
  readonly revision: number
}

/** More than there are changes. */
const EPOCH_STEP = 2 ** 32

/** For a poller. */
export async function readRevision(sql: Sql, table: RevisionTable, epoch: Epoch): Promise<number> {
  const text = `SELECT revision, ${epoch.sql} AS epoch FROM ${table}`
  const row = await sql.first<RevisionRow & { epoch: string }>(text)
  epoch.note(row?.epoch ?? '')
  return toRevision(row, table) + epoch.count() * EPOCH_STEP
}

/** What a poller that knows `known` has to read from on; 0 for everything. */
export function toSince(known: number, current: number): number {
  const isOfEpoch = Math.floor(known / EPOCH_STEP) === Math.floor(current / EPOCH_STEP)
  // A store behind its reader was restored from a backup: everything may have changed.
  return isOfEpoch && known <= current ? known % EPOCH_STEP : 0
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
