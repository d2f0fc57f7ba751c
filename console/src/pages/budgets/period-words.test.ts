import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetPeriodRow } from '../../../../src/api/contract.ts'
import { toPeriodName, toPeriodPoints, toPeriodState } from './period-words.ts'

function createRow(changes: Partial<BudgetPeriodRow> = {}): BudgetPeriodRow {
  return {
    period_start: '2026-03-09T00:00:00.000Z',
    period_end: '2026-03-16T00:00:00.000Z',
    is_running: false,
    limit_usd: 100,
    spent_usd: 50,
    spent_percent: 50,
    is_exceeded: false,
    unpriced_requests: 0,
    ...changes,
  }
}

const UNKNOWN = { spent_usd: null, spent_percent: null, is_exceeded: null, unpriced_requests: null }

test('a period is named by its days', () => {
  assert.equal(toPeriodName(createRow(), 'week'), '9 Mar to 15 Mar 2026')
  assert.equal(toPeriodName(createRow(), 'day'), '9 Mar 2026')
  assert.match(toPeriodName(createRow({ period_start: '2026-03-01' }), 'month'), /^Mar\w* 2026$/)
})

test('a period says what became of it', () => {
  const cases: readonly (readonly [Partial<BudgetPeriodRow>, string])[] = [
    [{}, 'within the limit'],
    [{ is_exceeded: true }, 'limit reached'],
    [
      { is_running: true, is_exceeded: true, unpriced_requests: 1 },
      'limit reached, 1 call without a price',
    ],
  ]
  for (const [changes, words] of cases) assert.equal(toPeriodState(createRow(changes)), words)
})

test('the oldest is drawn first, against its own limit, and what is not known is left out', () => {
  const { points, limits, missing } = toPeriodPoints(
    [
      createRow({ period_start: '2026-03-23', limit_usd: 40, is_running: true }),
      createRow({ period_start: '2026-03-16', spent_usd: 200, is_exceeded: true }),
      createRow(UNKNOWN),
    ],
    'day',
  )
  assert.deepEqual(
    points.map(({ label, tick, values, isPartial }) => [label, tick, values, isPartial]),
    [
      ['16 Mar 2026: limit reached', '16 Mar', { spent: 200 }, false],
      ['23 Mar 2026: within the limit', '23 Mar', { spent: 50 }, true],
    ],
  )
  assert.deepEqual(
    limits.map(({ values }) => values),
    [{ spent: 100 }, { spent: 40 }],
  )
  assert.equal(missing, 1)
})
