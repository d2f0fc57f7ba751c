// When the first call on record began, and what tells that stored costs have changed.

import type { Sql } from '../../sql/sql.ts'
import { FIRST_DAY, FIRST_RECORD, toFirstCallAt } from '../sql/first-call.ts'

/** Of forwarded calls; null without one. */
export async function readFirstCallAt(sql: Sql): Promise<number | null> {
  const first = await sql.first<{ day: number | null }>(FIRST_DAY)
  const day = first?.day ?? null
  if (day === null) return null
  return toFirstCallAt(day, (await sql.first<{ at: number }>(FIRST_RECORD))?.at ?? null)
}
