// What the rows of an export need beside their record.

import type { AnswerOf } from '../../resources/field.ts'
import type { KEY_FIELDS } from '../../resources/key.ts'
import type { MonthRange } from './month-records.ts'

/** What was set of a key: no secret, and no hash of one. */
export type ExportedKey = AnswerOf<typeof KEY_FIELDS>

export interface ExportContext {
  readonly month: MonthRange
  /** By the keys' ids, as they are now; empty for who may not know them. */
  readonly keys: ReadonlyMap<string, ExportedKey>
}
