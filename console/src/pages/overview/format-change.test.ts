import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toChange, toChangeAmount, toChangeShare } from './format-change.ts'

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

for (const [now, before, amount, share] of [
  [112, 100, '+12', '+12 %'],
  [98.5, 100, '−1.5', '−1.5 %'],
  [100.04, 100, '+0.04', '+0.04 %'],
  [350, 10, '+340', '+3,400 %'],
  [5, null, '+5', 'new'],
  [null, 5, '−5', 'gone'],
  // Its calls cost nothing then: there is no percentage of that, and nothing is new.
  [5, 0, '+5', ''],
  [0, 5, '−5', '−100 %'],
  [5, 5, '', ''],
  [0, null, '', 'new'],
  [null, null, '', ''],
] as const) {
  test(`from ${before} to ${now} is ${amount || 'nothing'}, ${share || 'no percentage'}`, () => {
    const round = (value: number): string => String(Math.round(value * 100) / 100)
    assert.equal(toChangeAmount({ now, before }, round), amount)
    assert.equal(toChangeShare({ now, before }), share)
  })
}
