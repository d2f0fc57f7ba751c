import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { divideHalfEven, formatMoney, parseMoney, toAnswerUsd } from './money.ts'

const PARSED: [value: unknown, pico: bigint | null][] = [
  ['0.0000042', 4_200_000n],
  [0.0000042, 4_200_000n],
  [4.2e-6, 4_200_000n],
  [6.7368e-5, 67_368_000n],
  ['6.7368e-05', 67_368_000n],
  ['0.00000008', 80_000n],
  ['1E+3', 1_000_000_000_000_000n],
  ['12', 12_000_000_000_000n],
  ['12.', 12_000_000_000_000n],
  ['-0.5', -500_000_000_000n],
  [0, 0n],
  ['0', 0n],
  ['0.0000000000005', 0n],
  ['0.0000000000015', 2n],
  ['0.00000000000150000000001', 2n],
  ['0.0000000000025', 2n],
  ['', null],
  ['.5', null],
  [' 1', null],
  ['1,5', null],
  ['0x10', null],
  ['NaN', null],
  ['1e41', null],
  ['1e999999999', null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [null, null],
  [undefined, null],
  [{ total: 1 }, null],
]

for (const [value, pico] of PARSED) {
  test(`reads ${JSON.stringify(value)} as ${pico ?? 'no money'}`, () => {
    assert.equal(parseMoney(value), pico)
  })
}

test('writes an exact decimal that reads back as the same amount', () => {
  const property = fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (amount) => {
    assert.equal(parseMoney(formatMoney(amount)), amount)
  })
  fc.assert(property)
})

test('rounds ties to the even neighbour, on both sides of zero', () => {
  const rounded = [5n, 15n, 25n, 24n, 26n, -5n, -15n, -25n].map((value) =>
    divideHalfEven(value, 10n),
  )
  assert.deepEqual(rounded, [0n, 2n, 2n, 2n, 3n, 0n, -2n, -2n])
})

test('answers in dollars rounded to 1e-9', () => {
  assert.equal(toAnswerUsd(12_345_678_901n), 0.012345679)
  assert.equal(toAnswerUsd(500n), 0)
  assert.equal(toAnswerUsd(1500n), 2e-9)
  assert.equal(toAnswerUsd(0n), 0)
  assert.equal(toAnswerUsd(123_456_789_012_345_678_901n), 123_456_789.01234567)
})
