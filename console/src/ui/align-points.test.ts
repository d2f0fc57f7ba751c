import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignPoints } from './align-points.ts'

for (const [texts, missing] of [
  [
    ['$1,234.50', '$0.00432', '$12.00'],
    ['3ch', null, '3ch'],
  ],
  [
    ['$1.00', '$2.00'],
    [null, null],
  ],
  [
    ['no price', '$0.0123', null, '$1.00'],
    [null, null, null, '2ch'],
  ],
  [
    ['$1.00 (12.5 %)', '$0.0123'],
    [null, null],
  ],
  [[], []],
] as const) {
  test(`the points of ${texts.join(', ') || 'nothing'} are aligned`, () => {
    const paddings = alignPoints(texts).map((each) => each?.paddingRight ?? null)
    assert.deepEqual(paddings, missing)
  })
}
