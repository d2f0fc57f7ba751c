import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBar, formatSparkline } from './usage-bars.ts'

test('bars are in proportion, to an eighth of a cell', () => {
  const rows = [
    [8, '████████', '########'],
    [4, '████', '####'],
    [1, '█', '#'],
    [4.5, '████▌', '#####'],
    [0.25, '▎', '#'],
    [0.000001, '▏', '#'],
    [0, '', ''],
    [-1, '', ''],
    [99, '████████', '########'],
  ] as const
  for (const [value, bar, plain] of rows) {
    const scale = { max: 8, width: 8 }
    assert.equal(formatBar(value, { ...scale, isPlain: false }), bar, String(value))
    assert.equal(formatBar(value, { ...scale, isPlain: true }), plain, String(value))
  }
  assert.equal(formatBar(1, { max: 0, width: 8, isPlain: true }), '')
  assert.equal(formatBar(1, { max: 1, width: 0, isPlain: true }), '')
})

test('a trend is a sign for each value, and only zero is at the lowest', () => {
  const values = [0, 0.001, 1, 2, 3, 4, 5, 6, 7]
  assert.equal(formatSparkline(values, false), '▁▂▂▃▄▅▆▇█')
  assert.equal(formatSparkline(values, true), '_..:-=+*#')
  assert.equal(formatSparkline([0, 0], false), '▁▁')
  assert.equal(formatSparkline([-1, 2], false), '▁█')
  assert.equal(formatSparkline([], false), '')
})
