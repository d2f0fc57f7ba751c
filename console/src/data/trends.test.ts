import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTrends } from './trends.ts'

test('a key has a value for each day, 0 where it spent nothing', () => {
  const answer = {
    buckets: ['2026-03-01', '2026-03-02', '2026-03-03'].map((start) => ({ start })),
    rows: [{ group: [{ value: 'svc_k_1' }] }, { group: [{ value: 'svc_k_2' }] }],
    series: [
      { row: 1, bucket: 0, cost_usd: 2 },
      { row: 0, bucket: 2, cost_usd: 5 },
    ],
  } as unknown as Parameters<typeof toTrends>[0]
  assert.deepEqual(toTrends(answer), [
    ['svc_k_1', [0, 0, 5]],
    ['svc_k_2', [2, 0, 0]],
  ])
})
