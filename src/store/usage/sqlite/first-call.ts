// When the first call on record began, on SQLite.

import type { SqliteFile } from '../../sqlite/file.ts'
import { FIRST_DAY, FIRST_RECORD, toFirstCallAt } from '../sql/first-call.ts'

/** Of forwarded calls; null without one. */
export function readFirstCallAt(file: SqliteFile): number | null {
  const day = file.prepare<{ day: number | null }>(FIRST_DAY).first()?.day ?? null
  if (day === null) return null
  return toFirstCallAt(day, file.prepare<{ at: number }>(FIRST_RECORD).first()?.at ?? null)
}
