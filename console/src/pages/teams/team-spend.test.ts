import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSpend } from './team-spend.ts'

const AS_OF = '2026-03-01T12:29:00Z'
const toTotals = (start: string, cost: number) => {
  return { start, cost_usd: cost, requests: cost * 10, tokens: cost * 100, unpriced: 0 }
}

test('today and this month are the last of a team’s days and months', () => {
  const days = [toTotals('2026-02-28', 4), toTotals('2026-03-01', 8)]
  const months = [toTotals('2026-02', 6), toTotals('2026-03', 9)]
  assert.deepEqual(toSpend({ asOf: AS_OF, days, months }), {
    asOf: AS_OF,
    today_usd: 8,
    yesterday_usd: 4,
    month_to_date_usd: 9,
    last_month_usd: 6,
    days: [
      { label: '2026-02-28', value: 4 },
      { label: '2026-03-01', value: 8 },
    ],
    counts: { requests: 90, tokens: 900 },
  })
})

test('what is no longer kept is not nothing', () => {
  const { today_usd: today, month_to_date_usd: month } = toSpend({
    asOf: AS_OF,
    days: null,
    months: [toTotals('2026-03', 9)],
  })
  assert.deepEqual([today, month], [null, 9])
})
