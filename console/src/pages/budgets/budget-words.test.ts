import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import {
  toBudgetState,
  toForecastPercent,
  toForecastWords,
  toRunningWords,
  toScopeWords,
  toSpentWords,
  toTermsWords,
  toThresholdWords,
} from './budget-words.ts'

const BUDGET: BudgetRow = {
  id: 'bud_1',
  name: 'Search team',
  scope: 'dim:team=search',
  scope_name: null,
  default_of: null,
  period: 'month',
  each: 'none',
  targets_only: false,
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
  members: null,
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
  const cases: readonly (readonly [scope: string, words: string, name?: string])[] = [
    ['global', 'All calls'],
    ['api_key=svc_k_abcdefgh', 'Key Batch jobs'],
    ['api_key=svc_k_ijklmnop', 'Key svc_k_ijklmnop'],
    ['api_key=…', 'One key'],
    ['team=team_0123456789abcdef', 'Team Search', 'Search'],
    ['person=user_0123456789abcdef', 'Person ada@example.com', 'ada@example.com'],
    ['person=…', 'One person'],
    ['provider=openai', 'Provider openai'],
    ['model=openai/gpt-4o*', 'Models openai/gpt-4o*'],
    ['dim:team=search', 'team = search'],
    ['dim:query=a=b', 'query = a=b'],
  ]
  for (const [scope, words, name = null] of cases) {
    assert.equal(toScopeWords({ scope, scope_name: name }, names), words)
  }
})

test('a budget says how often it begins again, and what it counts', () => {
  assert.equal(toTermsWords(BUDGET, new Map()), 'Monthly · team = search')
})

test('the state of a budget is what becomes of its calls, then what is to be expected', () => {
  const cases: readonly (readonly [change: Partial<BudgetRow>, tone: string, text: string])[] = [
    [{}, 'good', 'Within its limit'],
    [{ spent_percent: 79.99 }, 'good', 'Within its limit'],
    [{ spent_percent: 80 }, 'warning', 'Near its limit'],
    [{ forecast_usd: 999 }, 'good', 'Within its limit'],
    [{ forecast_usd: 1000, spent_percent: 80 }, 'warning', 'Forecast to exceed'],
    [{ is_exceeded: true, spent_usd: 1012.5 }, 'bad', 'Limit reached'],
    [{ blocking: true, spent_usd: 999 }, 'good', 'Within its limit'],
    [{ blocking: true, is_exceeded: true, spent_usd: 1000 }, 'bad', 'Refusing calls'],
    // Nothing says yet that so much was spent, but calls are refused.
    [{ blocking: true, spent_usd: 600, unknown_cost_usd: 400 }, 'bad', 'Refusing calls'],
  ]
  for (const [change, tone, text] of cases) {
    assert.deepEqual(toBudgetState({ ...BUDGET, ...change }), { tone, text })
  }
})

test('what is spent, forecast and reached is said in words', () => {
  assert.equal(toSpentWords(BUDGET), '$600.00 of $1,000.00')
  assert.equal(
    toSpentWords({ ...BUDGET, spent_usd: 1012.5 }),
    '$1,012.50 of $1,000.00, $12.50 over',
  )
  assert.equal(toForecastWords(BUDGET), null)
  assert.equal(toForecastPercent(BUDGET), null)
  const forecast = { ...BUDGET, forecast_usd: 1240 }
  assert.equal(toForecastWords(forecast), '$1,240.00 by the end')
  assert.equal(toForecastPercent(forecast), 124)
  assert.equal(
    toForecastWords({ ...forecast, forecast_from: '2026-11-10T14:23:00.000Z' }),
    '$1,240.00 by the end, at the pace since 10 Nov, 14:23 UTC',
  )
  assert.equal(toThresholdWords(BUDGET), '50 % (reached), 80 %, 100 %')
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

test('of a limit that is for each, who is near it counts, not the sum', () => {
  const members = { spending: 40, near: 2, over: 0 }
  const each = { ...BUDGET, each: 'person', spent_usd: 5000, spent_percent: 90, members } as const
  assert.deepEqual(toBudgetState(each), { tone: 'warning', text: '2 near it' })
  assert.equal(toSpentWords(each), '$5,000.00 by 40 people, of $1,000.00 each')
  assert.equal(toTermsWords(each, new Map()), 'Monthly · team = search, for each person')
  const over = { ...each, members: { ...members, over: 1 } }
  assert.deepEqual(toBudgetState(over), { tone: 'bad', text: '1 at the limit' })
})
