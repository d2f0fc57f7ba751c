import assert from 'node:assert/strict'
import { test } from 'node:test'

import { spanOf } from './budget.ts'
import type { BudgetPeriod } from './budget.ts'
import { forecastSpend } from './forecast.ts'
import { formatMoney, parseMoney } from './money.ts'

// 2026-11-02 is a Monday; November has thirty days.
const ROWS: readonly [BudgetPeriod, string, string, string | null][] = [
  ['month', '2026-11-01T00:00:00Z', '5', null],
  ['month', '2026-11-02T23:59:59.999Z', '5', null],
  ['month', '2026-11-03T00:00:00Z', '5', '75'],
  ['month', '2026-11-16T00:00:00Z', '50', '100'],
  ['month', '2026-11-16T00:00:00Z', '0', '0'],
  ['month', '2026-11-16T12:00:00Z', '31', '60'],
  ['month', '2026-11-30T23:59:59.999Z', '0', '0'],
  // 31 days, two of them over.
  ['month', '2026-12-03T00:00:00Z', '2', '31'],
  ['month', '2028-02-03T00:00:00Z', '2', '29'],
  ['week', '2026-11-03T23:59:59.999Z', '2', null],
  ['week', '2026-11-04T00:00:00Z', '2', '7'],
  ['week', '2026-11-08T00:00:00Z', '6', '7'],
  // Rounded, not cut: a seventh more than 3 of the smallest unit.
  ['week', '2026-11-08T00:00:00Z', '0.000000000003', '0.000000000004'],
  ['day', '2026-11-03T23:59:59Z', '5', null],
]

for (const [period, at, spent, expected] of ROWS) {
  test(`expects ${expected ?? 'nothing'} of a ${period} that spent ${spent} by ${at}`, () => {
    const nowMs = Date.parse(at)
    const amount = parseMoney(spent) as bigint
    const span = spanOf(period, nowMs)
    const forecast = forecastSpend({ spent: amount, span, sinceMs: span.startMs, nowMs })
    assert.equal(forecast === null ? null : formatMoney(forecast), expected)
  })
}

test('expects what was spent once the period is over', () => {
  const span = spanOf('month', Date.parse('2026-11-16T00:00:00Z'))
  for (const nowMs of [span.endMs, span.endMs + 1, span.endMs + 86_400_000 * 60]) {
    assert.equal(forecastSpend({ spent: 7n, span, sinceMs: span.startMs, nowMs }), 7n)
  }
})

// November has thirty days: of those from the 10th on there are 21.
for (const [since, at, spent, expected] of [
  ['2026-10-01T00:00:00Z', '2026-11-16T00:00:00Z', '50', '100'],
  ['2026-11-10T00:00:00Z', '2026-11-11T23:59:59.999Z', '2', null],
  ['2026-11-10T00:00:00Z', '2026-11-12T00:00:00Z', '2', '21'],
  ['2026-11-10T12:00:00Z', '2026-11-20T12:00:00Z', '10', '20.5'],
  ['2026-11-29T12:00:00Z', '2026-12-01T00:00:00Z', '3', null],
] as const) {
  test(`expects ${expected ?? 'nothing'} on ${at} of what began on ${since}`, () => {
    const nowMs = Date.parse(at)
    const amount = parseMoney(spent) as bigint
    const span = spanOf('month', nowMs)
    const forecast = forecastSpend({ spent: amount, span, sinceMs: Date.parse(since), nowMs })
    assert.equal(forecast === null ? null : formatMoney(forecast), expected)
  })
}
