import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetPeriodRow } from '../../../../src/api/contract.ts'
import { toPeriodBars, toPeriodName, toPeriodState } from './period-words.ts'

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
    [{}, 'Within the limit'],
    [{ is_exceeded: true }, 'Limit reached'],
    [{ is_running: true }, 'Within the limit so far'],
    [
      { is_running: true, is_exceeded: true, unpriced_requests: 1 },
      'Limit reached, 1 call without a price',
    ],
    [UNKNOWN, 'No longer on record'],
  ]
  for (const [changes, words] of cases) assert.equal(toPeriodState(createRow(changes)), words)
})

test('bars are on one scale, the oldest first, and what is not known has none', () => {
  const { bars, limit, scale } = toPeriodBars([
    createRow({ spent_percent: 50, is_running: true }),
    createRow({ spent_percent: 200, is_exceeded: true }),
    createRow(UNKNOWN),
  ])
  assert.deepEqual(
    bars.map(({ height, tone, isRunning }) => [height, tone, isRunning]),
    [
      [0, 'good', false],
      [100, 'bad', false],
      [25, 'good', true],
    ],
  )
  assert.equal(limit, 50)
  assert.match(scale, /top 200/)
  assert.equal(toPeriodBars([createRow()]).limit, 100, 'the limit is always on it')
  const huge = toPeriodBars([createRow({ spent_percent: 9000 }), createRow()])
  assert.match(huge.scale, /Higher bars are cut there\.$/)
  assert.doesNotMatch(scale, /cut/)
  assert.deepEqual([huge.limit, huge.bars[0]?.height, huge.bars[1]?.height], [25, 12.5, 100])
})
