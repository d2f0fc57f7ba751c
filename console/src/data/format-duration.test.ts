import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, formatShortDuration } from './format-duration.ts'

for (const [value, text] of [
  [0, '0 ms'],
  [0.01, '< 0.1 ms'],
  [0.42, '0.4 ms'],
  [320.4, '320 ms'],
  [1500, '1.5 s'],
  [125_000, '2 min 5 s'],
  [12_000_000, '3 h 20 min'],
  [86_400_000, '1 d'],
] as const) {
  test(`${value} ms is shown as ${text}`, () => assert.equal(formatDuration(value), text))
}

test('on an axis a time has one unit', () => {
  assert.deepEqual([0.4, 320, 1500, 80_000].map(formatShortDuration), [
    '0.4 ms',
    '320 ms',
    '1.5 s',
    '80 s',
  ])
})
