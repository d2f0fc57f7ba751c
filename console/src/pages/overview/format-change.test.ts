import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toChange } from './format-change.ts'

for (const [now, before, direction, text] of [
  [112, 100, 'up', '12 % more'],
  [97, 100, 'down', '3 % less'],
  [100, 100, 'same', 'the same'],
  [0, 0, 'same', 'the same'],
  [5, 0, 'up', 'nothing before'],
  [100.1, 100, 'up', '< 1 % more'],
  [0, 100, 'down', '100 % less'],
  [350, 100, 'up', '3.5 times as much'],
] as const) {
  test(`${now} after ${before} is ${text}`, () => {
    assert.deepEqual(toChange(now, before), { direction, text })
  })
}
