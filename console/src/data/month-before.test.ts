import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMonthBefore } from './month-before.ts'

for (const [asOf, back, month] of [
  ['2026-01-16', 1, '2025-12'],
  ['2026-01-16', 0, '2026-01'],
  ['2026-12', -1, '2027-01'],
  ['2026-03-31', 14, '2025-01'],
] as const) {
  test(`${back} months before ${asOf} is ${month}`, () =>
    assert.equal(toMonthBefore(asOf, back), month))
}
