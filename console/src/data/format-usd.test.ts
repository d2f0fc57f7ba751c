import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatExactUsd, formatShortUsd, formatUsd } from './format-usd.ts'

for (const [value, text] of [
  [0, '$0.00'],
  [1234567.891, '$1,234,567.89'],
  [0.1, '$0.10'],
  [12.005, '$12.01'],
  [0.0999, '$0.0999'],
  [0.05, '$0.05'],
  [0.004321, '$0.00432'],
  [0.000000001, '$0.000000001'],
] as const) {
  test(`${value} is shown as ${text}`, () => assert.equal(formatUsd(value), text))
}

for (const [value, text] of [
  [0, '$0'],
  [400, '$400'],
  [12.5, '$12.50'],
  [12_345, '$12.3K'],
  [0.0004, '$0.0004'],
] as const) {
  test(`an axis shows ${value} as ${text}`, () => assert.equal(formatShortUsd(value), text))
}

for (const [given, text] of [
  ['0', '$0.00'],
  ['1234567.5', '$1,234,567.50'],
  ['0.000123400000', '$0.0001234'],
  ['-0.10', '-$0.10'],
] as const) {
  test(`the exact amount ${given} is shown as ${text}`, () =>
    assert.equal(formatExactUsd(given), text))
}
