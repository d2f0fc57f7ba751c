// Which rollups can be summed again: those of days and months whose records are all still there.

import { toPeriodNumber } from './periods.ts'

export interface RebuildScope {
  /** Some records that ended before it were removed; 0 when none was. */
  readonly fromMs: number
  /** `YYYY-MM-DD`, null for everything. */
  readonly fromDay: string | null
  /** The first complete day and month, as the rollups number them. */
  readonly dayNumber: number
  readonly monthNumber: number
}

/** SQL for a rollup; takes dayNumber and monthNumber. Months have six digits, days eight. */
export const IN_SCOPE = '(CASE WHEN period > 999999 THEN period >= ? ELSE period >= ? END)'

export function toScope(removedBefore: number | null): RebuildScope {
  if (removedBefore === null) return { fromMs: 0, fromDay: null, dayNumber: 0, monthNumber: 0 }
  const fromDay = new Date(removedBefore).toISOString().slice(0, 10)
  const [year, month, day] = fromDay.split('-').map(Number) as [number, number, number]
  // A month that began before it lacks some days.
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

/** Of sums for analysis: hours have ten digits, months six. */
export function isPeriodInScope(period: number, scope: RebuildScope): boolean {
  return period > 999_999 ? period >= scope.dayNumber * 100 : period >= scope.monthNumber
}
