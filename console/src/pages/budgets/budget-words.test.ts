import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import {
  toBarEnd,
  toBudgetBar,
  toCourse,
  toResetWords,
  toRunningWords,
  toScaleWords,
  toScopeWords,
} from './budget-words.ts'

const BUDGET: BudgetRow = {
  id: 'bud_1',
  name: 'Search team',
  scope: 'dim:team=search',
  period: 'month',
  limit_usd: 1000,
  thresholds: [50, 80, 100],
  blocking: false,
  created_at: '2026-11-01T00:00:00.000Z',
  version: 1,
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  spent_usd: 600,
  spent_percent: 60,
  is_exceeded: false,
  forecast_usd: null,
  forecast_from: null,
  unpriced_requests: 0,
  unknown_cost_usd: null,
  running_calls: null,
  reserved_usd: null,
  overshoot_max_usd: null,
  targets: [],
}

test('a scope is shown in words, a key by its name where it is known', () => {
  const names = new Map([['svc_k_abcdefgh', 'Batch jobs']])
  const cases: readonly (readonly [scope: string, words: string])[] = [
    ['global', 'All calls'],
    ['api_key=svc_k_abcdefgh', 'Key Batch jobs'],
    ['api_key=svc_k_ijklmnop', 'Key svc_k_ijklmnop'],
    ['api_key=…', 'One key'],
    ['provider=openai', 'Provider openai'],
    ['model=openai/gpt-4o*', 'Models openai/gpt-4o*'],
    ['dim:team=search', 'team = search'],
    ['dim:query=a=b', 'query = a=b'],
  ]
  for (const [scope, words] of cases) assert.equal(toScopeWords(scope, names), words)
})

test('a budget says when it resets, in UTC', () => {
  assert.equal(toResetWords(BUDGET), 'Monthly, resets 1 Dec, 00:00 UTC')
})

test('the course is a warning from the moment that the limit would be reached', () => {
  assert.equal(toCourse(BUDGET), null)
  const cases: readonly (readonly [change: Partial<BudgetRow>, tone: string, text: string])[] = [
    [{ forecast_usd: 999 }, 'good', 'Forecast $999.00 of $1,000.00'],
    [
      { forecast_usd: 999, forecast_from: '2026-11-10T14:23:00.000Z' },
      'good',
      'Forecast $999.00 of $1,000.00, at the pace since 10 Nov, 14:23 UTC',
    ],
    [{ forecast_usd: 1000 }, 'warning', 'Forecast $1,000.00 of $1,000.00'],
    [{ forecast_usd: 1240 }, 'warning', 'Forecast $1,240.00 of $1,000.00'],
    [{ is_exceeded: true, spent_usd: 1000 }, 'bad', 'The limit is reached'],
    [
      { is_exceeded: true, spent_usd: 1012.5, forecast_usd: 2000 },
      'bad',
      'Over the limit by $12.50',
    ],
  ]
  for (const [change, tone, text] of cases) {
    assert.deepEqual(toCourse({ ...BUDGET, ...change }), { tone, text })
  }
})

test('running calls are shown for budgets that block, with the bound of the overshoot', () => {
  assert.equal(toRunningWords(BUDGET), null)
  const running = { running_calls: 2, reserved_usd: 0.5, overshoot_max_usd: 1.5 }
  assert.equal(
    toRunningWords({ ...BUDGET, ...running }),
    '2 calls running, expected to cost up to $0.50. At most $1.50 can be spent beyond the limit.',
  )
  const none = { running_calls: 0, reserved_usd: 0, overshoot_max_usd: 0 }
  assert.match(toRunningWords({ ...BUDGET, ...none }) ?? '', /^No calls are running/)
})

test('all bars end where the one that goes furthest beyond its limit does', () => {
  const plain = toBudgetBar(BUDGET, toBarEnd([BUDGET]))
  assert.deepEqual([plain.spent, plain.forecast, plain.limit], [60, null, 100])
  assert.deepEqual(
    plain.marks.map(({ at, isReached }) => [at, isReached]),
    [
      [50, true],
      [80, false],
      [100, false],
    ],
  )
  const beyond = { ...BUDGET, forecast_usd: 1200, thresholds: [60, 125] }
  const end = toBarEnd([BUDGET, beyond])
  assert.equal(end, 125)
  // 60 %, 120 % and 100 % of the limits, of 125 %.
  const other = toBudgetBar(beyond, end)
  assert.deepEqual([other.spent, other.forecast, other.limit], [48, 96, 80])
  const same = toBudgetBar(BUDGET, end)
  assert.deepEqual([same.spent, same.limit], [48, 80])
})

test('the scale is said in words', () => {
  assert.match(toScaleWords(100), /ends at the limit/)
  assert.match(toScaleWords(125), /from 0 to 125 % of the limit/)
})

test('however much was spent, the thresholds keep their room, and one far away is at the end', () => {
  const much = { ...BUDGET, spent_percent: 4000, forecast_usd: 90_000, thresholds: [50, 80, 1000] }
  const bar = toBudgetBar(much, toBarEnd([much]))
  assert.deepEqual([bar.spent, bar.forecast, Math.round(bar.limit)], [100, null, 67])
  assert.deepEqual(
    bar.marks.map(({ at, isBeyond, isLabelled }) => [Math.round(at), isBeyond, isLabelled]),
    [
      [33, false, true],
      [53, false, true],
      [100, true, true],
    ],
  )
})

test('of marks that are too close, the higher has the label', () => {
  const { marks } = toBudgetBar({ ...BUDGET, thresholds: [50, 90, 95, 100] }, 100)
  assert.deepEqual(
    marks.filter(({ isLabelled }) => isLabelled).map(({ percent }) => percent),
    [50, 100],
  )
})
