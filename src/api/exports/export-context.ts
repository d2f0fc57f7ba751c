// What the rows of an export need beside their record.

import type { MonthRange } from './month-records.ts'

export interface ExportContext {
  readonly month: MonthRange
  /** By the keys' ids, as they are called now; empty for who may not know them. */
  readonly keyNames: ReadonlyMap<string, string>
}
