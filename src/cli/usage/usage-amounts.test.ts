import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignAmounts, formatShare, formatUsd } from './usage-amounts.ts'

test('amounts have as many digits as they need, and none is rounded to zero', () => {
  const rows = [
    [0, '0.00'],
    [1, '1.00'],
    [1234567.891, '1,234,567.89'],
    [12.345, '12.35'],
    [0.5, '0.50'],
    [0.1549, '0.155'],
    [0.012345, '0.0123'],
    [0.001, '0.001'],
    [0.00000042, '0.00000042'],
    [0.000000001, '0.000000001'],
    [0.99999, '1.00'],
    [-0.0042, '-0.0042'],
    [-12.5, '-12.50'],
  ] as const
  for (const [value, text] of rows) assert.equal(formatUsd(value), text)
})

test('shares have two digits, small ones too', () => {
  assert.equal(formatShare(1, 3), '33 %')
  assert.equal(formatShare(3, 3), '100 %')
  assert.equal(formatShare(0, 3), '0 %')
  assert.equal(formatShare(0.001, 3), '0.033 %')
  assert.equal(formatShare(0, 0), '')
})

test('amounts stand one under the other by their points', () => {
  assert.deepEqual(alignAmounts(['USD', '1,234.50', '0.0123', '']), [
    '       USD',
    '1,234.50  ',
    '    0.0123',
    '          ',
  ])
})
