import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRepriced, toRepricedText } from './repriced.ts'

const MARCH = {
  month: '2026-03',
  at: '2026-04-02T23:59:59.000Z',
  calls: 3,
  before_usd: 1200,
  after_usd: 1250.5,
}

test('a month is found by its name or by a day of it', () => {
  assert.equal(findRepriced([MARCH], '2026-03'), MARCH)
  assert.equal(findRepriced([MARCH], '2026-03-01'), MARCH)
  assert.equal(findRepriced([MARCH], '2026-04'), undefined)
  assert.equal(findRepriced(undefined, '2026-03'), undefined)
})

test('the text has the day, and the sums before and after', () => {
  assert.equal(toRepricedText(MARCH), 'Repriced on 2 Apr 2026: $1,200.00 before, $1,250.50 after')
})
