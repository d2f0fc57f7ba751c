// Which rollups can be summed again: those of days and months whose records are all still there.

import type { SqliteFile } from '../../sqlite/file.ts'
import { toPeriodNumber } from './question.ts'

export interface RebuildScope {
  /** Records that ended before it are no longer all there; 0 when none was removed. */
  readonly fromMs: number
  /** `YYYY-MM-DD`, null for everything. */
  readonly fromDay: string | null
  /** The first day and the first month that are whole, as the rollups number them. */
  readonly dayNumber: number
  readonly monthNumber: number
}

/**
 * For SQL over a rollup, with the scope's dayNumber and monthNumber as parameters. Months have six
 * digits.
 */
export const IN_SCOPE = '(CASE WHEN period > 999999 THEN period >= ? ELSE period >= ? END)'

export function readScope(file: SqliteFile): RebuildScope {
  const sql = 'SELECT removed_before FROM tally'
  const row = file.prepare<{ removed_before: number | null }>(sql).first()
  return toScope(row?.removed_before ?? null)
}

export function toScope(removedBefore: number | null): RebuildScope {
  if (removedBefore === null) return { fromMs: 0, fromDay: null, dayNumber: 0, monthNumber: 0 }
  const fromDay = new Date(removedBefore).toISOString().slice(0, 10)
  const [year, month, day] = fromDay.split('-').map(Number) as [number, number, number]
  // Of a month that was begun before, some days are gone.
  const wholeFrom = new Date(Date.UTC(year, day === 1 ? month - 1 : month)).toISOString()
  return {
    fromMs: removedBefore,
    fromDay,
    dayNumber: toPeriodNumber(fromDay),
    monthNumber: toPeriodNumber(wholeFrom.slice(0, 7)),
  }
}

export function isInScope(period: string, scope: RebuildScope): boolean {
  const number = toPeriodNumber(period)
  return number >= (period.length > 7 ? scope.dayNumber : scope.monthNumber)
}
