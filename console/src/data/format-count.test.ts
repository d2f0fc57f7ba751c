import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatShortCount,
  formatShown,
} from './format-count.ts'

for (const [format, value, text] of [
  [formatCount, 1234567, '1,234,567'],
  [formatShortCount, 999, '999'],
  [formatShortCount, 12345, '12.3K'],
  [formatShortCount, 4_560_000, '4.56M'],
  [formatBytes, 0, '0 B'],
  [formatBytes, 999, '999 B'],
  [formatBytes, 1500, '1.5 KB'],
  [formatBytes, 2_000_000_000_000_000, '2,000 TB'],
] as const) {
  test(`${format.name} shows ${value} as ${text}`, () => assert.equal(format(value), text))
}

test('a list says how much of it is shown', () => {
  assert.equal(formatShown(20, 1234, 'key'), '20 of 1,234 keys')
  assert.equal(formatShown(12, 12, 'key'), '12 keys')
})

test('one thing is not several', () => {
  assert.equal(formatCounted(1, 'call'), '1 call')
  assert.equal(formatCounted(1200, 'call'), '1,200 calls')
  assert.equal(formatCounted(0, 'entry', 'entries'), '0 entries')
})
