import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatShare } from './format-share.ts'

for (const [share, text] of [
  [0, '0 %'],
  [0.000_000_1, '< 0.0001 %'],
  [0.000_123, '0.012 %'],
  [0.0042, '0.42 %'],
  [0.0123, '1.2 %'],
  [0.05, '5.0 %'],
  [0.249, '25 %'],
  [0.879, '88 %'],
  [0.9949, '99.5 %'],
  [0.9996, '99.96 %'],
  [0.999_999_99, '> 99.9999 %'],
  [1, '100 %'],
  [1.234, '123 %'],
  [-0.0123, '-1.2 %'],
] as const) {
  test(`a share of ${share} is ${text}`, () => assert.equal(formatShare(share), text))
}
