import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlainNumber } from './plain-number.ts'

const CASES: readonly (readonly [string, string | null])[] = [
  ['1000', '1000'],
  [' $1,000.50 ', '1000.50'],
  ['1,234,567', '1234567'],
  ['0', '0'],
  ['2,50', null],
  ['1,5', null],
  ['1.000,50', null],
  ['-5', null],
  ['+5', null],
  ['1e3', null],
  ['.5', null],
  ['', null],
  ['half', null],
]

for (const [text, expected] of CASES) {
  test(`"${text}" is read as ${expected ?? 'no number'}`, () => {
    assert.equal(toPlainNumber(text), expected)
  })
}
