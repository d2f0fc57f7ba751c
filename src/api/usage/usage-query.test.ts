import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseMoney } from '../../core/money.ts'
import { createFigures } from '../../core/usage-figures.ts'
import type { UsageQuestion, UsageSum } from '../../store/usage/usage-store.ts'
import { usageEnvelopeSchema } from '../contract.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { readUsage } from './usage-query.ts'

const NOW = Date.parse('2026-03-15T12:00:00.123Z')

const TOTAL: UsageQuery = {
  metric: 'cost_usd',
  window: 'today',
  dimension: null,
  dimKey: null,
  month: null,
  months: null,
  limit: 5,
  keyId: null,
}

const BY_MODEL: UsageQuery = { ...TOTAL, window: 'month_to_date', dimension: 'model' }

function sum(label: string | null, cost: string): UsageSum {
  const amount = parseMoney(cost)
  assert.ok(amount !== null)
  const figures = { ...createFigures(), cost: amount, requests: 2, tokens: 30 }
  return { label, bucket: null, model: null, ...figures }
}

/** A store that has one answer and notes what it was asked. */
function storeOf(...sums: UsageSum[]) {
  const asked: UsageQuestion[] = []
  return {
    asked,
    sum: (question: UsageQuestion) => {
      asked.push(question)
      return Promise.resolve(sums)
    },
  }
}

test('a total is one row with all six fields, 0 when there is nothing', async () => {
  const store = storeOf()
  assert.deepEqual(await readUsage(TOTAL, store, NOW), {
    asOf: '2026-03-15T12:00:00.123Z',
    rows: [{ label: 'total', value: 0, bucket: null, model: null, requests: null, tokens: null }],
  })
  assert.deepEqual(store.asked, [
    {
      period: { grain: 'day', from: '2026-03-15', to: '2026-03-15' },
      grouping: { by: 'total' },
      keyId: null,
      isCostOnly: true,
    },
  ])
})

test('a total is rounded half-even to 1e-9', async () => {
  for (const [cost, value] of [
    ['0.0000000005', 0],
    ['0.000000000500000001', 0],
    ['0.000000000501', 1e-9],
    ['0.0000000015', 2e-9],
    ['12.345678901234', 12.345678901],
  ] as const) {
    const { rows } = await readUsage(TOTAL, storeOf(sum(null, cost)), NOW)
    assert.equal(rows[0]?.value, value, cost)
  }
})

test('the question carries the filter, the month and the grouping', async () => {
  const store = storeOf()
  const query: UsageQuery = { ...BY_MODEL, window: 'month', month: '2025-12', keyId: 'svc_k_a' }
  assert.deepEqual((await readUsage(query, store, NOW)).rows, [])
  assert.deepEqual(store.asked, [
    {
      period: { grain: 'month', from: '2025-12', to: '2025-12' },
      grouping: { by: 'model' },
      keyId: 'svc_k_a',
      isCostOnly: true,
    },
  ])
})

test('a breakdown has the largest value first, ties by label, and at most limit rows', async () => {
  const store = storeOf(
    sum('b', '1'),
    sum('c', '0.000000000002'),
    sum('a', '1'),
    sum('e', '0'),
    sum('d', '0.000000000003'),
  )
  const labels = async (limit: number): Promise<string[]> =>
    (await readUsage({ ...BY_MODEL, limit }, store, NOW)).rows.map((row) => row.label)
  // c and d both round to 0: only exact money can say which comes first.
  assert.deepEqual(await labels(5), ['a', 'b', 'd', 'c', 'e'])
  assert.deepEqual(await labels(3), ['a', 'b', 'd'])
  assert.deepEqual(await labels(1000), ['a', 'b', 'd', 'c', 'e'])
})

test('calls without a model are one row called unknown', async () => {
  const store = storeOf(sum(null, '5'), sum('unknown', '2'), sum('m', '3'))
  const { rows } = await readUsage(BY_MODEL, store, NOW)
  assert.deepEqual(
    rows.map(({ label, value }) => [label, value]),
    [
      ['unknown', 7],
      ['m', 3],
    ],
  )
})

test('counts are answered as counts', async () => {
  for (const [metric, value] of [
    ['requests', 4],
    ['tokens', 60],
  ] as const) {
    const store = storeOf(sum(null, '1'), sum(null, '1'))
    const { rows } = await readUsage({ ...TOTAL, metric }, store, NOW)
    assert.equal(rows[0]?.value, value)
  }
})

test('a trend has every day, oldest first, uncut', async () => {
  const store = storeOf({ ...sum(null, '2'), bucket: '2026-03-14' })
  const query: UsageQuery = { ...TOTAL, dimension: 'day', window: 'last_7_days', limit: 1 }
  const { rows } = await readUsage(query, store, NOW)
  assert.deepEqual(
    rows.map(({ label, value }) => [label, value]),
    [
      ['2026-03-09', 0],
      ['2026-03-10', 0],
      ['2026-03-11', 0],
      ['2026-03-12', 0],
      ['2026-03-13', 0],
      ['2026-03-14', 2],
      ['2026-03-15', 0],
    ],
  )
  assert.deepEqual(store.asked[0]?.grouping, { by: 'bucket' })
})

test('a series has its largest over all months, each with every month', async () => {
  const store = storeOf(
    { ...sum('steady', '3'), bucket: '2026-01' },
    { ...sum('steady', '3'), bucket: '2026-03' },
    { ...sum('late', '4'), bucket: '2026-03' },
    { ...sum('small', '3.5'), bucket: '2026-01' },
  )
  const query: UsageQuery = {
    ...TOTAL,
    dimension: 'provider',
    window: 'monthly_series',
    months: 3,
    limit: 2,
  }
  const { rows } = await readUsage(query, store, NOW)
  assert.deepEqual(
    rows.map(({ bucket, label, value }) => [bucket, label, value]),
    [
      ['2026-01-01', 'steady', 3],
      ['2026-01-01', 'late', 0],
      ['2026-02-01', 'late', 0],
      ['2026-02-01', 'steady', 0],
      ['2026-03-01', 'late', 4],
      ['2026-03-01', 'steady', 3],
    ],
  )
  assert.deepEqual(store.asked[0]?.grouping, { by: 'bucket_provider' })
})

test('pairs are ordered by cost, label and model, and carry their counts', async () => {
  const pair = (label: string, model: string | null): UsageSum => ({ ...sum(label, '1'), model })
  const store = storeOf(pair('b', 'x'), pair('a', 'z'), pair('a', null), pair('a', 'b'))
  const query: UsageQuery = { ...BY_MODEL, dimension: 'dim_model', dimKey: 'team', limit: 3 }
  const counts = { value: 1, bucket: null, requests: 2, tokens: 30 }
  assert.deepEqual((await readUsage(query, store, NOW)).rows, [
    { label: 'a', model: 'b', ...counts },
    { label: 'a', model: 'unknown', ...counts },
    { label: 'a', model: 'z', ...counts },
  ])
})

test('only what always has a name is cut by the store', async () => {
  for (const [dimension, largest] of [
    ['dim', 3],
    ['dim_model', 3],
    ['api_key', 3],
    ['model', undefined],
    ['provider', undefined],
  ] as const) {
    const store = storeOf()
    const dimKey = dimension.startsWith('dim') ? 'team' : null
    await readUsage({ ...BY_MODEL, dimension, dimKey, limit: 3 }, store, NOW)
    assert.equal(store.asked[0]?.largest, largest, dimension)
  }
})

test('any sums give an envelope of the contract, in falling order', async () => {
  const sums = fc.array(
    fc.record({
      label: fc.option(fc.string()),
      bucket: fc.constant(null),
      model: fc.constant(null),
      cost: fc.bigInt({ min: 0n, max: 10n ** 24n }),
      requests: fc.nat(),
      tokens: fc.nat(),
      unpriced: fc.nat(),
    }),
  )
  await fc.assert(
    fc.asyncProperty(sums, fc.integer({ min: 1, max: 1000 }), async (given, limit) => {
      const envelope = await readUsage(
        { ...BY_MODEL, limit },
        storeOf(...given.map((each) => ({ ...createFigures(), ...each }))),
        NOW,
      )
      const { rows } = usageEnvelopeSchema.parse(envelope)
      assert.ok(rows.length <= limit)
      for (const [index, row] of rows.slice(1).entries()) {
        assert.ok(row.value <= (rows[index]?.value ?? 0))
      }
    }),
  )
})
