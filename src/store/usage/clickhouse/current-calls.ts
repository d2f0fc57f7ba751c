// The rows of calls as they are now. A call that was changed has several: the current one is of the
// last batch that counts. Sums need none of this: rows that were taken back cancel out.

import type { BatchCondition } from './batch-condition.ts'

export interface CurrentCalls {
  /** The batches that count. */
  readonly moment: BatchCondition
  readonly columns: string
  /**
   * About what never changes of a call: all but its cost, the source of it and the price. Of its
   * dimensions, that it has one: a team is added, and none taken away.
   */
  readonly where: string
  readonly order?: 'ASC' | 'DESC'
  readonly rowsMax?: number
}

/** In the order of the ids, which is the order on the disk. */
export function selectCurrent(asked: CurrentCalls): string {
  const { moment, columns, where, order = 'DESC', rowsMax } = asked
  // The last batch comes first in either direction.
  const limit = rowsMax === undefined ? '' : ` LIMIT ${rowsMax}`
  return `SELECT ${columns} FROM calls WHERE ${moment} AND sign = 1 AND ${where}
    ORDER BY id ${order}, batch DESC LIMIT 1 BY id${limit}`
}

/**
 * Of the first call or the last: columns that never change of a call, in one row. Rows are read in
 * the order on the disk; for LIMIT BY, or the last batch first, the server would read all of them.
 */
export function selectFirst(asked: Required<Omit<CurrentCalls, 'rowsMax'>>): string {
  const { moment, columns, where, order } = asked
  return `SELECT ${columns} FROM calls WHERE ${moment} AND sign = 1 AND ${where}
    ORDER BY id ${order} LIMIT 1`
}

/** Partitions are skipped by it; a call's month is that of its end. */
export function toMonths(fromMs: number | null, toMs: number | null): string {
  const conditions: string[] = []
  if (fromMs !== null) conditions.push(`month >= ${toMonth(fromMs)}`)
  if (toMs !== null) conditions.push(`month <= ${toMonth(toMs)}`)
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ')
}

export function toEnded(startMs: number, endMs: number): string {
  const span = `ended_at >= ${startMs} AND ended_at < ${endMs}`
  return `${toMonths(startMs, endMs)} AND ${span}`
}

/** The last storable moment is in 9999. */
const LAST_MS = 253_402_300_799_999

function toMonth(ms: number): number {
  const at = new Date(Math.min(Math.max(0, ms), LAST_MS))
  return at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
}
