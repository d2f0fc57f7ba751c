// A word that changes with every step of a repricing and every rebuild.

import type { Epoch, Sql } from '../../sql/sql.ts'
import { COST_CHANGES } from './repricings.ts'

const REVISION = `(SELECT rebuilds FROM usage_state) || '.' || ${COST_CHANGES} AS revision`

export async function readCostRevision(sql: Sql): Promise<string> {
  const row = await sql.first<{ revision: string }>(`SELECT ${REVISION} FROM repricings`)
  return row?.revision ?? ''
}

/** For what is remembered outside the database: it changes where another database answers, too. */
export async function readAnswerRevision(sql: Sql, epoch: Epoch): Promise<string> {
  const row = await sql.first<{ revision: string; epoch: string }>(
    `SELECT ${REVISION}, ${epoch.sql} AS epoch FROM repricings`,
  )
  epoch.note(row?.epoch ?? '')
  const revision = row?.revision ?? ''
  return epoch.count() === 0 ? revision : `${revision}.${epoch.count()}`
}
