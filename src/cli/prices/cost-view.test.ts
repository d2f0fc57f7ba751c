import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatCostLines, formatDifference, formatRateText, shiftDecimal } from './cost-view.ts'

const SHIFTED: readonly (readonly [string, string])[] = [
  ['0.0000025', '2.5'],
  ['0.00001', '10'],
  ['0', '0'],
  ['1.5', '1500000'],
  ['0.000000000075', '0.000075'],
  ['0.00000012345678', '0.12345678'],
]

describe('the price of a million from that of one', () => {
  for (const [one, million] of SHIFTED) {
    test(`${one} is ${million}`, () => assert.equal(shiftDecimal(one, 6), million))
  }
})

test('tokens are shown as they are sold, everything else per unit', () => {
  assert.equal(formatRateText('cache_read', '0.0000001'), '0.1 USD / million')
  assert.equal(formatRateText('web_search', '0.01'), '0.01 USD each')
})

test('lines of one model need no column for it, those of several do', () => {
  const line = { model: 'a', unit: 'input', count: 3, rateUsd: '0.000001', costUsd: '0.000003' }
  const one = { ...line, version: 'v' }
  const two = { ...one, model: 'b', unit: 'web_search', rateUsd: '1', costUsd: '3' }
  assert.deepEqual(formatCostLines({ lines: [one], cost: '0.000003' }), [
    'UNIT   COUNT  RATE             COST',
    'input  3      1 USD / million  0.000003 USD',
    'total                          0.000003 USD',
  ])
  assert.deepEqual(formatCostLines({ lines: [one, two], cost: null }), [
    'MODEL  UNIT        COUNT  RATE             COST',
    'a      input       3      1 USD / million  0.000003 USD',
    'b      web_search  3      1 USD each       3 USD',
    'total                                      not known',
  ])
})

test('a difference has its sign', () => {
  assert.equal(formatDifference('0.000000000001', '3'), '+2.999999999999')
  assert.equal(formatDifference('1', '0'), '-1')
  assert.equal(formatDifference('0.5', '0.5'), '0')
})
