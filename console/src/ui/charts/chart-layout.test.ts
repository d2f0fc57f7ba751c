import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fitsLabel,
  toBands,
  toFrame,
  toLabelStep,
  toPath,
  toScale,
  toSegments,
} from './chart-layout.ts'

for (const [largest, isWhole, ticks] of [
  [0, false, [0]],
  [1, false, [0, 0.25, 0.5, 0.75, 1]],
  [100, false, [0, 25, 50, 75, 100]],
  [101, false, [0, 50, 100, 150]],
  [7.3, false, [0, 2, 4, 6, 8]],
  [0.0007, false, [0, 0.0002, 0.0004, 0.0006, 0.0008]],
  // Half a call would be labelled as 1 once more.
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [9, true, [0, 3, 6, 9]],
] as const) {
  test(`up to ${largest} the ticks are ${ticks.join(', ')}`, () => {
    const scale = toScale(largest, isWhole)
    assert.deepEqual(
      scale.ticks.map((tick) => Number(tick.toPrecision(6))),
      ticks,
    )
    assert.ok(scale.max >= largest)
  })
}

test('any largest value has at most six even ticks above it', () => {
  for (let power = -9; power < 12; power += 1) {
    for (let digit = 1; digit < 10; digit += 0.37) {
      const largest = digit * 10 ** power
      const { ticks, max } = toScale(largest, false)
      assert.ok(ticks.length >= 2 && ticks.length <= 6, `${largest}: ${ticks.join(' ')}`)
      assert.ok(max >= largest * (1 - 1e-9) && max <= largest * 2.5, `${largest}: ${max}`)
    }
  }
})

test('labels are left out where they would touch', () => {
  const days = Array.from({ length: 30 }, (_, day) => `${day + 1} Oct`)
  const { bandPx, barPx } = toBands(days.length, 900)
  assert.deepEqual([bandPx, barPx], [30, 30 * 0.74])
  const step = toLabelStep(days, bandPx)
  assert.equal(step, 2)
  assert.ok(step * bandPx >= '30 Oct'.length * 6.6 + 14)
  assert.equal(toLabelStep(days, 300 / 30), 6)
  assert.equal(toLabelStep(['Oct 2026'], 900), 1)
  assert.equal(toLabelStep([], 900), 1)
  assert.equal(fitsLabel('30 Oct', { middlePx: 885, widthPx: 900 }), false)
  assert.equal(fitsLabel('30 Oct', { middlePx: 880, widthPx: 900 }), true)
})

test('a stack is as high as its sum, and every part of it can be seen', () => {
  const scale = { heightPx: 100, max: 10 }
  const segments = toSegments(['a', 'b', 'c', 'd'], { a: 5, b: 2.5, d: 0.001 }, scale)
  assert.deepEqual(segments, [
    { id: 'a', value: 5, yPx: 50, heightPx: 50 },
    { id: 'b', value: 2.5, yPx: 25, heightPx: 25 },
    { id: 'd', value: 0.001, yPx: 24, heightPx: 1 },
  ])
  assert.deepEqual(toSegments(['a'], { a: 0 }, scale), [])
})

test('a point is found by where the pointer is, and none beside them', () => {
  const { middleOf, placeOf, leftPx, widthPx } = toFrame(30, { widthPx: 958, heightPx: 260 })
  for (const place of [0, 7, 29]) assert.equal(placeOf(middleOf(place)), place)
  assert.equal(placeOf(leftPx - 1), null)
  assert.equal(placeOf(widthPx + 1), null)
})

test('a line has a gap where there is no figure, and a figure alone is a dot', () => {
  const at = (xPx: number, yPx: number) => ({ xPx, yPx })
  assert.equal(toPath([at(0, 5), at(1, 6.04), null, at(3, 1), null]), 'M0 5L1 6M3 1h0')
  assert.equal(toPath([null, at(1, 2), at(2, 3)]), 'M1 2L2 3')
  assert.equal(toPath([null]), '')
})
