import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRepriced, listRepriced, toRepricedText, toRepricedWords } from './repriced.ts'

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

const SPANS: readonly (readonly [name: string, from: string, to: string, isShown: boolean])[] = [
  ['the month', '2026-03-01T00:00', '2026-04-01T00:00', true],
  ['more than it', '2025-12-15T06:00', '2026-04-20T00:00', true],
  ['a day of it', '2026-03-04T00:00', '2026-03-05T00:00', false],
  ['it but for its first hour', '2026-03-01T01:00', '2026-04-01T00:00', false],
  ['it but for its last hour', '2026-03-01T00:00', '2026-03-31T23:00', false],
  ['the month after', '2026-04-01T00:00', '2026-05-01T00:00', false],
]

for (const [name, from, to, isShown] of SPANS) {
  test(`figures of ${name} ${isShown ? 'come' : 'do not come'} with the mark`, () => {
    const whole = { from: `${from}:00.000Z`, to: `${to}:00.000Z` }
    const shown = listRepriced([MARCH], { ...whole, asOf: '2026-06-01T00:00:00.000Z' })
    assert.equal(shown.length === 1, isShown)
  })
}

test('a month that goes on is marked with the sums of its repricing', () => {
  const asOf = '2026-03-20T10:20:00.000Z'
  const span = { asOf, from: '2026-03-01T00:00:00.000Z', to: '2026-03-20T11:00:00.000Z' }
  assert.deepEqual(listRepriced([MARCH], span), [MARCH])
  const entry = { ...MARCH, at: '2026-03-10T12:00:00.000Z' }
  assert.match(
    toRepricedWords(entry),
    /, repriced on 10 Mar 2026, all calls until then: \$1,200\.00 before, \$1,250\.50 after$/,
  )
})
