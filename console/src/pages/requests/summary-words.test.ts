import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSummaryWords } from './summary-words.ts'

const NONE = {
  as_of: '2026-03-15T12:00:00.000Z',
  calls: 0,
  requests: 0,
  denied: 0,
  unpriced: 0,
  cost_usd: '0',
  is_complete: true,
}

for (const [summary, text, note] of [
  [NONE, '0 calls, $0.00', ''],
  [{ ...NONE, calls: 1, requests: 1, cost_usd: '0.00045' }, '1 call, $0.00045', ''],
  [
    { ...NONE, calls: 1207, requests: 1204, denied: 3, unpriced: 1, cost_usd: '18.4207351' },
    '1,204 calls, and 3 denied, $18.42',
    '1 call without a known cost.',
  ],
  [
    { ...NONE, calls: 500_000, requests: 500_000, cost_usd: '2367.7', is_complete: false },
    'More than 500,000 calls, more than $2,367.70',
    'Only the newest calls were counted; choose a shorter time.',
  ],
] as const) {
  test(`says ${text}`, () => {
    assert.deepEqual(toSummaryWords(summary), { text, note })
  })
}
