import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertRow, BudgetRow } from '../../../../src/api/contract.ts'
import { toNotices } from './overview-notices.ts'
import type { NoticeFacts, OverviewState } from './overview-notices.ts'

const QUIET: OverviewState = {
  asOf: '2026-03-05T10:00:00.000Z',
  has_calls: true,
  first_call_at: null,
  comparison: null,
  last_month_same_day_usd: 0,
  forecast_usd: null,
  unpriced_requests: 0,
  unpriced_models: 0,
  estimated_requests: 0,
  dim_keys: [],
  repriced: [],
}

const BUDGET: BudgetRow = {
  id: 'bud_1',
  name: 'Team',
  scope: 'all',
  scope_name: null,
  default_of: null,
  period: 'month',
  each: 'none',
  targets_only: false,
  limit_usd: 100,
  thresholds: [],
  blocking: false,
  created_at: QUIET.asOf,
  version: 1,
  period_start: QUIET.asOf,
  period_end: QUIET.asOf,
  spent_usd: 80,
  spent_percent: 80,
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

const NO_NAMES: ReadonlyMap<string, string> = new Map()

function factsOf(...budgets: readonly BudgetRow[]): NoticeFacts {
  return { budgets, incidents: [], keyNames: NO_NAMES }
}

test('without faults there are no notices', () => {
  assert.deepEqual(toNotices(QUIET, factsOf()), [])
})

test('a budget near its limit is shown, the fullest first', () => {
  const over = {
    ...BUDGET,
    id: 'bud_2',
    blocking: true,
    spent_usd: 101,
    spent_percent: 101,
    is_exceeded: true,
  }
  const notices = toNotices(QUIET, factsOf({ ...BUDGET, forecast_usd: 140 }, over))
  assert.deepEqual(
    notices.map(({ tone, title, text, spentPercent }) => [tone, title, text, spentPercent]),
    [
      [
        'bad',
        'Team: the limit is reached',
        '$101.00 of $100.00 per month. Its calls are refused.',
        101,
      ],
      ['warning', 'Team: 80 % spent', '$80.00 of $100.00 per month, forecast $140.00.', 80],
    ],
  )
})

test('a budget that calls of unknown cost use up says that it refuses calls', () => {
  const [notice] = toNotices(
    QUIET,
    factsOf({ ...BUDGET, blocking: true, spent_usd: 20, spent_percent: 20, unknown_cost_usd: 80 }),
  )
  assert.deepEqual(
    [notice?.tone, notice?.title, notice?.text],
    ['bad', 'Team: the limit is reached', '$20.00 of $100.00 per month. Its calls are refused.'],
  )
})

test('of many budgets near their limit the five fullest are named', () => {
  const budgets = Array.from({ length: 12 }, (_, place) => {
    return { ...BUDGET, id: `bud_${place}`, spent_usd: 80 + place, spent_percent: 80 + place }
  })
  const notices = toNotices(QUIET, factsOf(...budgets))
  assert.deepEqual(
    notices.map(({ id }) => id),
    ['bud_11', 'bud_10', 'bud_9', 'bud_8', 'bud_7', 'budgets'],
  )
  assert.equal(notices.at(-1)?.title, '7 more budgets are near the limit')
})

test('calls without a price lead to the prices that are missing', () => {
  const [notice] = toNotices({ ...QUIET, unpriced_requests: 1204, unpriced_models: 2 }, factsOf())
  assert.equal(notice?.title, '1,204 calls of 2 models have no price')
  assert.equal(notice?.href, '/prices?tab=missing')
})

test('estimated calls lead to the requests of the month', () => {
  const [notice] = toNotices({ ...QUIET, estimated_requests: 1 }, factsOf())
  assert.equal(notice?.title, '1 call is estimated')
  assert.equal(notice?.href, '/requests?from=2026-03-01&usage=estimated')
})

test('unusual spend comes first, with the way to its calls', () => {
  const path = '/requests?api_key=svc_k_1&from=2026-03-05&to=2026-03-06&sort=cost'
  const type = 'spend.anomaly' as const
  const data = {
    subject: { kind: 'api_key', name: 'svc_k_1' },
    day: '2026-03-05',
    spent_usd: 61.4,
    usual_usd: 3.2,
    largest_usd: 5.75,
    days: 28,
    calls_url: `https://weir.example.com${path}`,
  }
  const incident: AlertRow = {
    id: 'msg_1',
    type,
    budget_id: null,
    at: QUIET.asOf,
    body: { type, timestamp: QUIET.asOf, data },
    incident: {
      state: 'open',
      excess_usd: 58.2,
      marked_at: null,
      marked_by: null,
      snoozed_until: null,
    },
    deliveries: [],
  }
  const old = { ...incident, id: 'msg_0', body: { ...incident.body, data: { day: '2026-03-05' } } }
  const notices = toNotices(QUIET, {
    budgets: [BUDGET],
    incidents: [incident, old],
    keyNames: new Map([['svc_k_1', 'Batch jobs']]),
  })
  assert.deepEqual(
    notices.map(({ id, href, linkText }) => [id, href, linkText]),
    [
      ['msg_1', path, 'See the calls'],
      ['msg_0', '/budgets?tab=alerts', 'See the alert'],
      ['bud_1', '/budgets#bud_1', 'See the budget'],
    ],
  )
  assert.equal(notices[0]?.title, 'Key Batch jobs spent far more than usual')
  assert.equal(notices[0]?.tone, 'bad')
})
