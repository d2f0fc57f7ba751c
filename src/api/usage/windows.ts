// From a window of the contract to the days or months it covers. All of it is UTC, and a period is
// inclusive at both ends. Must stay true: what a window covers depends on its arguments alone.

import { assert } from '../../core/assert.ts'
import type { Period } from '../../store/usage/usage-store.ts'
import type { UsageWindow } from '../contract.ts'

export interface WindowChoice {
  readonly window: UsageWindow
  /** `YYYY-MM`; there exactly when the window is `month`. */
  readonly month: string | null
  /** There exactly when the window is `monthly_series`. */
  readonly months: number | null
}

const DAY_MS = 86_400_000

export function toPeriod(choice: WindowChoice, nowMs: number): Period {
  switch (choice.window) {
    case 'today':
      return days(nowMs, { back: 0, count: 1 })
    case 'yesterday':
      return days(nowMs, { back: 1, count: 1 })
    case 'last_7_days':
      return days(nowMs, { back: 0, count: 7 })
    case 'last_30_days':
      return days(nowMs, { back: 0, count: 30 })
    case 'month_to_date':
      return months(nowMs, { back: 0, count: 1 })
    case 'last_month':
      return months(nowMs, { back: 1, count: 1 })
    case 'month':
      assert(choice.month !== null, 'window month came without its month')
      return { grain: 'month', from: choice.month, to: choice.month }
    case 'monthly_series':
      assert(choice.months !== null, 'window monthly_series came without its length')
      return months(nowMs, { back: 0, count: choice.months })
  }
}

/** Every day of a period of days, in order. */
export function listDays({ from, to }: Period): readonly string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, index) => toDay(Date.parse(from) + index * DAY_MS))
}

/** Every month of a period of months, in order. */
export function listMonths({ from, to }: Period): readonly string[] {
  const [year = 0, month = 1] = from.split('-').map(Number)
  const list: string[] = []
  for (let at = from; at <= to; at = toMonth(Date.UTC(year, month - 1 + list.length, 1))) {
    list.push(at)
  }
  return list
}

/** The next midnight: what a moment's day, and so its month, ends with. */
export function endOfDay(timeMs: number): number {
  return (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
}

/** `YYYY-MM` of a moment. */
export function toMonth(timeMs: number): string {
  return toDay(timeMs).slice(0, 7)
}

/** `YYYY-MM-DD` of a moment. */
function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

interface Span {
  /** How many whole days or months ago the span ends. */
  readonly back: number
  readonly count: number
}

function days(nowMs: number, span: Span): Period {
  // Every UTC day has the same length: leap seconds are no part of this time scale.
  const last = nowMs - span.back * DAY_MS
  return { grain: 'day', from: toDay(last - (span.count - 1) * DAY_MS), to: toDay(last) }
}

function months(nowMs: number, span: Span): Period {
  const now = new Date(nowMs)
  // The first of a month: counting back from the 31st would land in a month that has no such day.
  const first = (back: number): string =>
    toMonth(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  return { grain: 'month', from: first(span.back + span.count - 1), to: first(span.back) }
}
