import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MissingPriceAnswer, UsageRow } from '../../../../src/api/contract.ts'
import { toCsvName } from './explore-csv.ts'
import { describeSum } from './explore-sum.ts'
import { toDayTrend, toMonthTrend } from '../../data/usage-trend.ts'
import { createIsUnpriced, formatCost } from '../../data/unpriced.ts'

function createRow(label: string, value: number, bucket: string | null = null): UsageRow {
  return { label, value, bucket, model: null, requests: null, tokens: null }
}

test('months become points, with the largest series first and months in their order', () => {
  const { series, points } = toMonthTrend([
    createRow('small', 3, '2026-01-01'),
    createRow('__proto__', 1, '2026-01-01'),
    createRow('large', 9, '2026-02-01'),
    createRow('small', 2, '2026-02-01'),
  ])
  assert.deepEqual(
    series.map(({ label }) => label),
    ['large', 'small', '__proto__'],
  )
  assert.deepEqual(points, [
    { label: 'Jan 2026', values: { 'series-1': 3, 'series-2': 1 } },
    { label: 'Feb 2026', values: { 'series-0': 9, 'series-1': 2 } },
  ])
})

test('days become the points of one series', () => {
  const { series, points } = toDayTrend([createRow('2026-01-31', 3)], 'Cost')
  assert.deepEqual(series, [{ id: 'series-0', label: 'Cost' }])
  assert.deepEqual(points, [{ label: '31 Jan', values: { 'series-0': 3 } }])
})

const MONTH = { metric: 'cost_usd', window: 'month_to_date' } as const
const ROWS = [createRow('a', 30), createRow('b', 20)]

for (const [more, whole, text] of [
  [{ dimension: 'model' }, 50, '$50.00, which is all of it. Days and months are UTC.'],
  [{ dimension: 'model' }, 49.9, '$50.00, which is all of it. Days and months are UTC.'],
  [{ dimension: 'model', limit: 2 }, 100, '$50.00, 50 % of $100.00; the rest is smaller ones.'],
  [
    { dimension: 'dim', dim_key: 'team' },
    100,
    '$50.00, 50 % of $100.00; the rest is calls without team.',
  ],
  [
    { dimension: 'dim', dim_key: 'team', limit: 2 },
    100,
    '$50.00, 50 % of $100.00; the rest is smaller ones and calls without team.',
  ],
  [{ dimension: 'day' }, null, '$50.00 in total, UTC.'],
  [{ dimension: 'model' }, null, 'Days and months are UTC.'],
] as const) {
  test(`rows of ${JSON.stringify(more)} of ${whole} come to: ${text}`, () => {
    const question = { ...MONTH, ...more }
    assert.equal(describeSum({ question, answer: { rows: ROWS }, whole }), text)
  })
}

const MISSING: readonly MissingPriceAnswer[] = [
  {
    provider: 'own',
    model: 'own-7b',
    requests: 3,
    tokens: 5,
    is_partial: false,
    first_month: '2026-02',
    last_month: '2026-03',
    wants: 'price',
    units: ['input', 'output'],
  },
]

test('a model without a price differs from one that cost nothing, in the months it was used', () => {
  const inMarch = createIsUnpriced(MISSING, '2026-03', { dimension: 'model' })
  const inApril = createIsUnpriced(MISSING, '2026-04', { dimension: 'model' })
  const row = createRow('own-7b', 0)
  assert.equal(formatCost(0, inMarch(row)), 'no price')
  assert.equal(formatCost(0, inApril(row)), '$0.00')
  assert.equal(formatCost(2, inMarch(row)), '$2.00')
  assert.equal(formatCost(0, inMarch(createRow('free', 0))), '$0.00')
})

test('a provider without a price is marked month by month', () => {
  const isUnpriced = createIsUnpriced(MISSING, '2026-04', { dimension: 'provider' })
  assert.equal(isUnpriced(createRow('own', 0, '2026-02-01')), true)
  assert.equal(isUnpriced(createRow('own', 0, '2026-01-01')), false)
})

test('a pair is unpriced by its model, and a key never is', () => {
  const pair = { ...createRow('team-a', 0), model: 'own-7b' }
  assert.equal(createIsUnpriced(MISSING, '2026-03', { dimension: 'dim_model' })(pair), true)
  assert.equal(
    createIsUnpriced(MISSING, '2026-03', { dimension: 'api_key' })(createRow('own', 0)),
    false,
  )
})

test('a file is named after its question, whatever the dimension is called', () => {
  const question = { ...MONTH, dimension: 'dim', dim_key: '../team' } as const
  assert.equal(
    toCsvName(question, '2026-03-05T00:00:00.000Z'),
    'weir-cost_usd-by-dim-.._team-month_to_date-2026-03-05.csv',
  )
})
