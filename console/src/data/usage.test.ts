import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTotal, toUsagePath } from './usage.ts'

test('the figures are asked for by the address that a program would use', () => {
  const question = { metric: 'cost_usd', window: 'month', month: '2026-03', limit: 20 } as const
  assert.equal(
    toUsagePath({ ...question, dimension: undefined }),
    '/v1/usage?metric=cost_usd&window=month&month=2026-03&limit=20',
  )
})

test('a total without rows is nothing', () => {
  assert.equal(toTotal({ rows: [] }), 0)
})
