// From a window to its days or months, UTC, inclusive. Must stay true: only its arguments matter.

import { assert } from '../../core/assert.ts'
import type { Period } from '../../store/usage/usage-store.ts'
import type { UsageWindow } from '../contract.ts'

export interface WindowChoice {
  readonly window: UsageWindow
  /** `YYYY-MM`; only with window `month`. */
  readonly month: string | null
  /** Only with window `monthly_series`. */
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

export function listDays({ from, to }: Period): readonly string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, index) => toDay(Date.parse(from) + index * DAY_MS))
}

export function listMonths({ from, to }: Period): readonly string[] {
  const [year = 0, month = 1] = from.split('-').map(Number)
  const list: string[] = []
  for (let at = from; at <= to; at = toMonth(Date.UTC(year, month - 1 + list.length, 1))) {
    list.push(at)
  }
  return list
}

/** The next UTC midnight. */
export function endOfDay(timeMs: number): number {
  return (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
}

/** `YYYY-MM`. */
export function toMonth(timeMs: number): string {
  return toDay(timeMs).slice(0, 7)
}

/** `YYYY-MM-DD`. */
export function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

interface Span {
  /** Whole days or months between the end of the span and now. */
  readonly back: number
  readonly count: number
}

function days(nowMs: number, span: Span): Period {
  // Every UTC day has the same length: there are no leap seconds here.
  const last = nowMs - span.back * DAY_MS
  return { grain: 'day', from: toDay(last - (span.count - 1) * DAY_MS), to: toDay(last) }
}

function months(nowMs: number, span: Span): Period {
  const now = new Date(nowMs)
  // From the first of the month: counting back from the 31st could land in a shorter month.
  const first = (back: number): string =>
    toMonth(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  return { grain: 'month', from: first(span.back + span.count - 1), to: first(span.back) }
}
