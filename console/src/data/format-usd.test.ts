import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUsd } from './format-usd.ts'

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
