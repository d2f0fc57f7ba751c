import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { analysisSchema, budgetListSchema, overviewSchema } from '../contract.ts'
import type { Overview, OverviewGroup } from '../contract.ts'
import { DIM_KEYS_MAX, toLastMonthSameDay } from './read-overview.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const DAY_MS = 86_400_000
const PICO = 10n ** 12n
const UNPRICED = { amount: null, source: 'unpriced', priceVersion: null } as const

interface Scene extends OpenApi {
  readonly reader: string
  ask(search?: string): Promise<Overview>
  put(...records: readonly UsageRecord[]): Promise<void>
}

async function openScene(t: TestContext): Promise<Scene> {
  const api = await openApi(NOON)
  t.after(() => api.close())
  const reader = await api.authorize('read:usage', 'write:budgets')
  return {
    ...api,
    reader,
    ask: async (search = '') => {
      const response = await api.get(`/v1/overview${search}`, reader)
      assert.equal(response.status, 200)
      return overviewSchema.parse(await response.json())
    },
    put: (...records) => api.store.writeBatch(batchOf(...records)),
  }
}

test('without a call all is nothing, and the first one is seen a second later', async (t) => {
  const scene = await openScene(t)
  const { figures, ...rest } = await scene.ask()
  const nothing = {
    asOf: '2026-03-15T12:00:00.000Z',
    has_calls: false,
    first_call_at: null,
    comparison: null,
    last_month_same_day_usd: 0,
    forecast_usd: null,
    unpriced_requests: 0,
    unpriced_models: 0,
    estimated_requests: 0,
    dim_keys: [],
    repriced: [],
    breakdown: { group_by: 'model', rows: [], movers: null, days: rest.breakdown?.days },
  }
  assert.deepEqual(rest, nothing)
  assert.deepEqual([rest.breakdown?.days?.buckets.length, rest.breakdown?.days?.groups], [30, []])
  assert.deepEqual([figures.month_to_date_usd, figures.dim_key, figures.dim], [0, null, []])
  await scene.put(createCall(NOON, { status: 'denied' }))
  scene.clock.nowMs += 1000
  assert.equal((await scene.ask()).has_calls, false)
  // Long ago, and no longer in any month that is looked at.
  await scene.put(createCall(NOON - 200 * DAY_MS))
  scene.clock.nowMs += 1000
  assert.equal((await scene.ask()).has_calls, true)
})

test('last month is counted to the same day, to the end of it', async (t) => {
  const scene = await openScene(t)
  const last = Date.parse('2026-02-15T23:59:58.000Z')
  await scene.put(
    createCall(Date.parse('2026-02-01T00:00:00.000Z'), {}, { amount: PICO }),
    createCall(last, {}, { amount: 2n * PICO }),
    createCall(last + 2000, {}, { amount: 4n * PICO }),
    createCall(Date.parse('2026-01-31T23:59:00.000Z'), {}, { amount: 8n * PICO }),
  )
  assert.equal((await scene.ask()).last_month_same_day_usd, 3)
})

for (const [now, from, to] of [
  ['2026-03-31T12:00:00Z', '2026-02-01', '2026-02-28'],
  ['2028-03-29T00:00:00Z', '2028-02-01', '2028-02-29'],
  ['2026-03-01T00:00:00Z', '2026-02-01', '2026-02-01'],
  ['2026-01-10T23:59:59.999Z', '2025-12-01', '2025-12-10'],
] as const) {
  test(`on ${now.slice(0, 10)} last month is cut at ${to}`, () => {
    assert.deepEqual(toLastMonthSameDay(Date.parse(now)), { grain: 'day', from, to })
  })
}

const at = (time: string): number => Date.parse(`${time}Z`)
const spend = (time: string, usd: bigint): UsageRecord =>
  createCall(at(time) - 1000, {}, { amount: usd * PICO })

test('this month is compared with the last up to the same moment of it', async (t) => {
  const scene = await openScene(t)
  await scene.put(
    spend('2026-01-20T00:00:00', 100n),
    spend('2026-02-01T00:00:00', 1n),
    spend('2026-02-15T11:59:59.999', 2n),
    spend('2026-02-15T12:00:00', 4n),
    spend('2026-02-15T23:00:00', 8n),
    spend('2026-03-01T00:00:00', 16n),
    spend('2026-03-15T11:59:59', 32n),
  )
  assert.deepEqual((await scene.ask()).comparison, {
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-15T12:00:00.000Z',
    cost_usd: 48,
    before_from: '2026-02-01T00:00:00.000Z',
    before_to: '2026-02-15T12:00:00.000Z',
    before_cost_usd: 3,
    recorded_from: null,
  })
})

test('where Weir began within last month, the comparison says so and nothing is a mover', async (t) => {
  const scene = await openScene(t)
  await scene.put(
    // The call began a second before it ended.
    spend('2026-02-10T06:00:01', 1n),
    spend('2026-02-15T11:00:00', 2n),
    spend('2026-02-20T00:00:00', 4n),
    spend('2026-03-10T05:59:59', 8n),
  )
  const { comparison, first_call_at, breakdown } = await scene.ask()
  assert.equal(first_call_at, '2026-02-10T06:00:00.000Z')
  assert.deepEqual(comparison, {
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-15T12:00:00.000Z',
    cost_usd: 8,
    before_from: '2026-02-01T00:00:00.000Z',
    before_to: '2026-02-15T12:00:00.000Z',
    before_cost_usd: 3,
    recorded_from: first_call_at,
  })
  assert.equal(breakdown?.movers, null)
})

const costs = (rows: readonly OverviewGroup[] | null | undefined) =>
  rows?.map(({ group: { kind, value }, cost_usd: now, before_cost_usd: before }) => [
    value ?? kind,
    now,
    before,
  ])

test('the largest changes are of this month against its comparison, by any field', async (t) => {
  const scene = await openScene(t)
  const call = (team: string | null, time: string, usd: bigint): UsageRecord =>
    createCall(at(time), { dims: team === null ? {} : { team } }, { amount: usd * PICO })
  await scene.put(
    call('old', '2026-01-20T00:00:00', 1n),
    call('gone', '2026-02-03T00:00:00', 40n),
    call('same', '2026-02-03T00:00:00', 90n),
    call('same', '2026-03-03T00:00:00', 90n),
    call('up', '2026-02-15T11:59:58', 10n),
    // After the same moment of last month, so it is no part of the comparison.
    call('up', '2026-02-15T12:00:01', 500n),
    call('up', '2026-03-15T11:00:00', 30n),
    call('new', '2026-03-14T00:00:00', 5n),
    call(null, '2026-02-02T00:00:00', 9n),
    call(null, '2026-03-02T00:00:00', 2n),
  )
  const { breakdown, comparison, figures } = await scene.ask('?group_by=dim:team')
  assert.deepEqual(costs(breakdown?.movers), [
    ['gone', null, 40],
    ['up', 30, 10],
    ['none', 2, 9],
  ])
  assert.deepEqual(costs(breakdown?.rows), [
    ['same', 90, 90],
    ['up', 30, 10],
    ['new', 5, null],
    ['none', 2, 9],
  ])
  assert.deepEqual([comparison?.cost_usd, comparison?.before_cost_usd], [127, 149])
  assert.equal(figures.month_to_date_usd, 127)
  const { days } = breakdown ?? assert.fail()
  // From 14 February: of the 15th, 510 USD.
  const up = days?.groups.findIndex(({ value }) => value === 'up') ?? -1
  const dayOf = (place: number): string => days?.buckets[place]?.start.slice(0, 10) ?? ''
  assert.deepEqual(
    days?.costs.flatMap((ofDay, place) => (ofDay[up] === 0 ? [] : [[dayOf(place), ofDay[up]]])),
    [
      ['2026-02-15', 510],
      ['2026-03-15', 30],
    ],
  )
  assert.deepEqual(
    figures.days.map(({ label, value }) => [label, value]).filter(([, value]) => value !== 0),
    days?.costs.flatMap((ofDay, place) => {
      const sum = ofDay.reduce((all, cost) => all + cost, 0)
      return sum === 0 ? [] : [[dayOf(place), sum]]
    }),
  )
})

test('the days before the last 30 are those that an analysis compares with', async (t) => {
  const scene = await openScene(t)
  const call = (model: string, time: string, usd: bigint): UsageRecord =>
    createCall(at(time), { model }, { amount: usd * PICO })
  await scene.put(
    // The span of the last 30 days is 29 days and 13 hours: as much before begins at 11:00.
    call('early', '2026-01-15T10:59:50', 64n),
    call('gone', '2026-01-15T11:00:00', 32n),
    call('large', '2026-02-13T23:59:50', 4n),
    call('large', '2026-02-14T00:00:00', 8n),
  )
  const { breakdown } = await scene.ask()
  const { groups, before } = breakdown?.days ?? assert.fail()
  assert.deepEqual(
    groups.map(({ value }) => value),
    ['large', 'gone'],
  )
  assert.deepEqual(
    [before?.costs.at(0), before?.costs.at(-1)],
    [
      [0, 32],
      [4, 0],
    ],
  )
  const question = 'from=2026-02-14&interval=day&group_by=model&compare=previous'
  const response = await scene.get(`/v1/analysis?${question}`, scene.reader)
  const { previous } = analysisSchema.parse(await response.json())
  assert.deepEqual(
    [before?.from, before?.to, before?.buckets],
    [previous?.from, previous?.to, previous?.buckets],
  )
})

test('a breakdown by key has names, for those who may see keys', async (t) => {
  const scene = await openScene(t)
  await scene.put(createCall(NOON, { keyId: 'svc_k_gone' }))
  const refused = await scene.get('/v1/overview?group_by=api_key', scene.reader)
  assert.equal(refused.status, 403)
  const reader = await scene.authorize('read:usage', 'read:keys')
  const { breakdown } = overviewSchema.parse(
    await (await scene.get('/v1/overview?group_by=api_key', reader)).json(),
  )
  const [row] = breakdown?.rows ?? []
  assert.deepEqual(row?.group, {
    field: 'api_key',
    kind: 'value',
    value: 'svc_k_gone',
    name: null,
  })
  assert.equal((await scene.get('/v1/overview?group_by=tribe', reader)).status, 400)
})

test('without the records of the day both spans are of whole days', async (t) => {
  const scene = await openScene(t)
  await scene.put(
    spend('2026-01-20T00:00:00', 100n),
    spend('2026-02-14T23:00:00', 1n),
    spend('2026-02-15T11:00:00', 2n),
    spend('2026-03-14T00:00:00', 4n),
    spend('2026-03-15T11:00:00', 8n),
  )
  await scene.usage.upkeep.removeRecords(at('2026-02-16T00:00:00'), 10)
  const { comparison, first_call_at, breakdown } = await scene.ask()
  assert.deepEqual(comparison, {
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-15T00:00:00.000Z',
    cost_usd: 4,
    before_from: '2026-02-01T00:00:00.000Z',
    before_to: '2026-02-15T00:00:00.000Z',
    before_cost_usd: 1,
    recorded_from: null,
  })
  // Of groups, and of days by group, nothing is known without the hours.
  assert.deepEqual([breakdown?.movers, breakdown?.days, breakdown?.rows.length], [null, null, 1])
  assert.equal(first_call_at, '2026-01-20T00:00:00.000Z')
})

for (const [now, first, from, to] of [
  // February is over by then: all of it is compared.
  ['2026-03-31T12:00:00', '2026-01-05T00:00:00', '2026-02-01T00:00', '2026-03-01T00:00'],
  ['2026-01-10T23:30:00', '2025-12-03T08:00:01', '2025-12-01T00:00', '2025-12-10T23:30'],
  // So far into last month there was no call.
  ['2026-03-05T12:00:00', '2026-02-06T00:00:01', null, null],
  ['2026-03-15T12:00:00', '2026-03-02T00:00:01', null, null],
] as const) {
  test(`on ${now} a Weir that began on ${first} compares with ${from ?? 'nothing'}`, async (t) => {
    const scene = await openScene(t)
    scene.clock.nowMs = at(now)
    await scene.put(spend(first, 1n))
    const { comparison } = await scene.ask()
    const ends = [comparison?.before_from, comparison?.before_to]
    assert.deepEqual(
      ends.map((end) => end?.slice(0, 16) ?? null),
      [from, to],
    )
  })
}

test('gaps and estimates of this month are counted, those of the last are not', async (t) => {
  const scene = await openScene(t)
  const earlier = NOON - 20 * DAY_MS
  await scene.put(
    createCall(NOON, { model: 'new' }, UNPRICED),
    createCall(NOON, { model: 'new' }, UNPRICED),
    createCall(NOON, { model: null, usage: 'none', tokens: null }, UNPRICED),
    createCall(NOON, { usage: 'estimated' }),
    createCall(NOON, { usage: 'partial' }),
    createCall(earlier, { model: 'older', usage: 'estimated' }, UNPRICED),
  )
  const { unpriced_requests, unpriced_models, estimated_requests } = await scene.ask()
  assert.deepEqual([unpriced_requests, unpriced_models, estimated_requests], [3, 2, 2])
})

test('dimensions of this month and the last are listed, those of most calls first', async (t) => {
  const scene = await openScene(t)
  await scene.put(
    createCall(NOON, { dims: { env: 'prod', team: 'a' } }),
    createCall(NOON - 20 * DAY_MS, { dims: { team: 'b', app: 'x' } }),
    createCall(NOON - 60 * DAY_MS, { dims: { gone: 'x' } }),
  )
  assert.deepEqual((await scene.ask()).dim_keys, ['team', 'app', 'env'])
  scene.clock.nowMs += 60_000
  const many = Array.from({ length: DIM_KEYS_MAX }, (_, index) => [`dim${index}`, 'x'])
  await scene.put(createCall(NOON, { dims: Object.fromEntries(many) }))
  const listed = (await scene.ask()).dim_keys
  assert.deepEqual([listed.length, listed[0]], [DIM_KEYS_MAX, 'team'])
})

test('the forecast is that of a budget for the whole month', async (t) => {
  const scene = await openScene(t)
  // Nothing was on record before 1 March; then 10 USD by the 11th would be 31 by the end, but the
  // first call came on the 6th at noon: 10 USD in 9 days, 25.5 days to the end of the month.
  await scene.put(
    createCall(Date.parse('2026-03-06T12:00:00.000Z'), {}, { amount: 4n * PICO }),
    createCall(Date.parse('2026-03-11T12:00:00.000Z'), {}, { amount: 6n * PICO }),
  )
  const budget = { name: 'all', scope: 'global', period: 'month', limit_usd: 100 }
  const made = await fetch(`${scene.url}/v1/budgets`, {
    method: 'POST',
    headers: { authorization: scene.reader, 'content-type': 'application/json' },
    body: JSON.stringify(budget),
  })
  assert.equal(made.status, 201, await made.text())
  const { rows } = budgetListSchema.parse(
    await (await scene.get('/v1/budgets', scene.reader)).json(),
  )
  const { forecast_usd: forecast } = await scene.ask()
  assert.equal(forecast, 28.333333333)
  assert.equal(forecast, rows[0]?.forecast_usd)
  assert.equal(rows[0]?.forecast_from, '2026-03-06T12:00:00.000Z')
})

test('the answer is the same for a minute, ends with the day, and with a repricing', async (t) => {
  const scene = await openScene(t)
  await scene.put(createCall(NOON))
  const first = await scene.ask()
  await scene.put(createCall(NOON, {}, UNPRICED))
  scene.clock.nowMs += 59_999
  assert.deepEqual(await scene.ask(), first)
  scene.clock.nowMs += 1
  const second = await scene.ask()
  assert.equal(second.unpriced_requests, first.unpriced_requests + 1)
  const record = createCall(NOON, {}, UNPRICED)
  await scene.put(record)
  scene.clock.nowMs += 1000
  assert.deepEqual(await scene.ask(), second)
  const cost = { amount: PICO, source: 'override', priceVersion: 'v' } as const
  await scene.usage.upkeep.changeCosts(
    [{ id: record.event.id, before: record.cost, after: cost }],
    {
      repricing: null,
      at: NOON,
      who: 'me',
      what: 'one',
      prices: [],
    },
  )
  const third = await scene.ask()
  assert.deepEqual([third.asOf, third.unpriced_requests], ['2026-03-15T12:01:01.000Z', 1])

  scene.clock.nowMs = Date.parse('2026-03-31T23:59:59.500Z')
  await scene.ask()
  scene.clock.nowMs += 500
  const april = await scene.ask()
  assert.deepEqual([april.asOf, april.unpriced_requests], ['2026-04-01T00:00:00.000Z', 0])
  assert.equal(april.forecast_usd, null)
})

test('it takes the scope of usage and no parameters, and may be kept by the asker', async (t) => {
  const scene = await openScene(t)
  const response = await scene.get('/v1/overview', scene.reader)
  assert.match(response.headers.get('cache-control') ?? '', /^private, max-age=\d+$/)
  assert.match(response.headers.get('vary') ?? '', /Authorization.*Cookie/)
  assert.equal((await scene.get('/v1/overview?window=today', scene.reader)).status, 400)
  assert.equal((await scene.get('/v1/overview')).status, 401)
  const other = await scene.authorize('read:requests')
  assert.equal((await scene.get('/v1/overview', other)).status, 403)
})
