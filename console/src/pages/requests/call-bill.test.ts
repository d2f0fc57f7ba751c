import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasSeveral, shiftPoint, toBillLines } from './call-bill.ts'

test('a point is moved without losing a digit', () => {
  const cases = [
    ['0.00000075', '0.75'],
    ['0.000002', '2'],
    ['0.0000001234567', '0.1234567'],
    ['12.5', '12500000'],
    ['0', '0'],
    ['-0.000001', '-1'],
  ] as const
  for (const [text, shifted] of cases) assert.equal(shiftPoint(text, 6), shifted)
})

const LINE = {
  model: 'm',
  unit: 'cache_read',
  count: 12_345,
  rate_usd: '0.000000075',
  cost_usd: '0.000925875',
  price_version: 'v1',
}

test('tokens are priced by the million, all else per unit', () => {
  const search = { ...LINE, unit: 'web_search', count: 2, rate_usd: '0.01', cost_usd: '0.02' }
  const lines = toBillLines([LINE, search])
  assert.deepEqual(
    lines.map(({ unit, count, rate, cost }) => [unit, count, rate, cost]),
    [
      ['Tokens read from cache', '12,345', '$0.075 per million', '$0.000925875'],
      ['Web search', '2', '$0.01 each', '$0.02'],
    ],
  )
})

test('a unit that is called like a member of every object is no token', () => {
  assert.equal(toBillLines([{ ...LINE, unit: 'constructor' }])[0]?.unit, 'Constructor')
})

test('lines say their model only where there is more than one', () => {
  assert.equal(hasSeveral(toBillLines([LINE, LINE])), false)
  assert.equal(hasSeveral(toBillLines([LINE, { ...LINE, model: 'other' }])), true)
  assert.equal(hasSeveral(toBillLines([LINE, { ...LINE, price_version: 'v2' }])), true)
})
