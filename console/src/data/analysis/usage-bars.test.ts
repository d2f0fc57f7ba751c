import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDayBars } from './usage-bars.ts'

test('days become bars, and the one that runs is partial', () => {
  const row = { bucket: null, model: null, requests: null, tokens: null }
  const rows = [
    { ...row, label: '2026-01-30', value: 3 },
    { ...row, label: '2026-01-31', value: 2 },
  ]
  assert.deepEqual(toDayBars({ rows, asOf: '2026-01-31T05:00:00.000Z' }), [
    {
      id: '2026-01-30',
      label: 'Fri, 30 Jan 2026',
      tick: '30 Jan',
      values: { cost: 3 },
      isPartial: false,
    },
    {
      id: '2026-01-31',
      label: 'Sat, 31 Jan 2026',
      tick: '31 Jan',
      values: { cost: 2 },
      isPartial: true,
    },
  ])
})
