// Which rollups can be summed again: those of days and months whose records are all still there.

import type { BudgetSpan } from '../../../core/budget.ts'
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

const DAY_MS = 86_400_000

/** The whole UTC days of a month; none of what is no month, such as 202613. */
export function listDays(month: number, { fromMs }: RebuildScope): readonly BudgetSpan[] {
  const [year, index] = [Math.floor(month / 100), (month % 100) - 1]
  const days: BudgetSpan[] = []
  if (index < 0 || index > 11) return days
  for (let at = Date.UTC(year, index); at < Date.UTC(year, index + 1); at += DAY_MS) {
    if (at >= fromMs) days.push({ startMs: at, endMs: at + DAY_MS })
  }
  return days
}

/** The month that an hour, a day or a month is in: ten, eight and six digits. */
export function toMonthOf(period: number): number {
  return Number(String(period).slice(0, 6))
}
