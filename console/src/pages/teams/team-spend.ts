// What a team spent, from one answer of the analysis by day, so that all its figures are of one
// moment.

import type { AnalysisAnswer, AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { DAY_MS, toHourText, toSpan } from '../../data/analysis/time-range.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { TREND_DAYS } from '../../data/trends.ts'
import type { Spend } from '../keys/key-spend.tsx'

/** Its days since last month began, and at least thirty. */
export function toSpendQuestion(teamId: string, nowMs: number): AnalysisQuestion {
  const month = toSpan({ range: 'last_month' }, nowMs)
  const days = toSpan({ range: 'last_30_days' }, nowMs)
  return {
    from: toHourText(Math.min(month.fromMs, days.fromMs)),
    to: toHourText(days.toMs),
    interval: 'day',
    group_by: [],
    filter: [`team=${teamId}`],
    order_by: 'cost',
    limit: 1,
  }
}

export function toSpend(answer: Pick<AnalysisAnswer, 'asOf' | 'buckets' | 'series'>): Spend {
  const { asOf, buckets, series } = answer
  const days = buckets.map(({ start }) => ({ label: start.slice(0, 10), value: 0 }))
  for (const { bucket, cost_usd: cost } of series) {
    const day = days[bucket]
    if (day !== undefined) day.value += cost
  }
  const sumOf = (start: string): number =>
    days.filter(({ label }) => label.startsWith(start)).reduce((sum, { value }) => sum + value, 0)
  const today = asOf.slice(0, 10)
  return {
    asOf,
    today_usd: sumOf(today),
    yesterday_usd: sumOf(new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10)),
    month_to_date_usd: sumOf(asOf.slice(0, 7)),
    last_month_usd: sumOf(toMonthBefore(asOf)),
    days: days.slice(-TREND_DAYS),
  }
}
