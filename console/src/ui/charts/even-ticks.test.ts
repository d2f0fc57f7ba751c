import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEvenTicks } from './even-ticks.ts'

const DAYS = Array.from({ length: 30 }, (_, day) => `${day + 1} Nov`)

// A label of six characters takes 6 × 7 + 18 = 60 pixels.
for (const [widthPx, expected] of [
  [30 * 60, DAYS],
  [30 * 60 - 1, DAYS.filter((_, place) => place % 2 === 1)],
  [10 * 60, DAYS.filter((_, place) => place % 3 === 2)],
  // Seven have room: every fifth makes six.
  [7 * 60, ['5 Nov', '10 Nov', '15 Nov', '20 Nov', '25 Nov', '30 Nov']],
  [120, ['15 Nov', '30 Nov']],
  [10, ['30 Nov']],
] as const) {
  test(`an axis of ${widthPx} pixels has ${expected.length} labels`, () => {
    assert.deepEqual(toEvenTicks(DAYS, widthPx), expected)
  })
}

test('an axis without labels has no ticks', () => assert.deepEqual(toEvenTicks([], 100), []))
