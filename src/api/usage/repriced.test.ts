import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { overviewSchema, usageBreakdownSchema } from '../contract.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const DOLLAR = 10n ** 12n

const KEY = 'svc_k_aaaaaaaaaaaaaaaa'
const spend = (day: string, dollars: bigint): UsageRecord =>
  createCall(Date.parse(`${day}T10:00:00.000Z`), { keyId: KEY }, { amount: dollars * DOLLAR })

async function openScene(context: TestContext) {
  const api = await openApi(NOW)
  context.after(() => api.close())
  const authorization = await api.authorize('read:usage', 'read:keys')
  const january = spend('2026-01-20', 100n)
  const february = [spend('2026-02-10', 10n), spend('2026-02-11', 20n)] as const
  const march = spend('2026-03-02', 5n)
  await api.store.writeBatch(batchOf(january, ...february, march))
  const reprice = async (record: UsageRecord, dollars: bigint, at: string): Promise<void> => {
    const found = await api.usage.readRecord(record.event.id)
    assert.ok(found !== null)
    const after = { ...found.cost, amount: dollars * DOLLAR }
    await api.usage.upkeep.changeCosts([{ id: record.event.id, before: found.cost, after }], {
      repricing: null,
      at: Date.parse(at),
      who: 'me',
      what: 'one',
      prices: [],
    })
  }
  const breakdown = async (search: string) => {
    const response = await api.get(`/v1/breakdown?${search}`, authorization)
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return usageBreakdownSchema.parse(JSON.parse(text))
  }
  const overview = async () =>
    overviewSchema.parse(await (await api.get('/v1/overview', authorization)).json())
  return { api, january, february, march, reprice, breakdown, overview }
}

const FEBRUARY = {
  month: '2026-02',
  at: '2026-03-05T00:00:00.000Z',
  calls: 2,
  // 10 + 20; then 10 became 14 and 14 became 13.
  before_usd: 30,
  after_usd: 33,
}
const JANUARY = {
  month: '2026-01',
  at: '2026-03-06T00:00:00.000Z',
  calls: 1,
  before_usd: 100,
  after_usd: 60,
}

test('a repriced month comes with its sum before and after, beside its figure', async (context) => {
  const { january, february, reprice, breakdown, overview } = await openScene(context)
  assert.deepEqual((await overview()).repriced, [])
  await reprice(february[0], 14n, '2026-03-04T00:00:00.000Z')
  await reprice(february[0], 13n, '2026-03-05T00:00:00.000Z')
  await reprice(january, 60n, '2026-03-06T00:00:00.000Z')
  const shown = await overview()
  assert.deepEqual(shown.repriced, [FEBRUARY])
  assert.equal(shown.figures.last_month_usd, FEBRUARY.after_usd)
  const last = await breakdown('metric=cost_usd&window=last_month')
  assert.deepEqual([last.total, last.repriced], [33, [FEBRUARY]])
  assert.deepEqual((await breakdown('metric=cost_usd&window=month_to_date')).repriced, [])
  const series = 'metric=cost_usd&window=monthly_series&dimension=provider&months=3'
  assert.deepEqual((await breakdown(series)).repriced, [FEBRUARY, JANUARY])
  const month = 'metric=cost_usd&window=month&month=2026-01'
  assert.deepEqual((await breakdown(`${month}&dimension=model`)).repriced, [JANUARY])
})

test('before and after stand still while the month goes on', async (context) => {
  const { api, march, reprice, breakdown, overview } = await openScene(context)
  const series = 'metric=cost_usd&window=monthly_series&dimension=provider&months=3'
  await reprice(march, 8n, '2026-03-10T12:00:00.000Z')
  for (const at of ['2026-03-10T12:00:00.001Z', '2026-03-11T00:00:00.000Z']) {
    const call = createCall(Date.parse(at), { keyId: KEY }, { amount: 7n * DOLLAR })
    await api.store.writeBatch(batchOf(call))
  }
  // Answers are kept for a minute.
  api.clock.nowMs += 120_000
  for (const [entry] of [(await overview()).repriced, (await breakdown(series)).repriced]) {
    assert.deepEqual([entry?.month, entry?.before_usd, entry?.after_usd], ['2026-03', 5, 8])
  }
  assert.equal((await overview()).figures.month_to_date_usd, 22)
})

const UNMARKED = [
  'metric=requests&window=month_to_date',
  'metric=tokens&window=month_to_date',
  'metric=cost_usd&window=last_30_days&dimension=day',
  'metric=cost_usd&window=today',
]

for (const search of UNMARKED) {
  test(`no month is marked for ${search}`, async (context) => {
    const { february, march, reprice, breakdown } = await openScene(context)
    await reprice(february[0], 14n, '2026-03-04T00:00:00.000Z')
    await reprice(march, 6n, '2026-03-04T00:00:00.000Z')
    assert.deepEqual((await breakdown(search)).repriced, [])
  })
}

test('the rows of one key, or of a dimension, come with the sums of the whole month', async (context) => {
  const { february, reprice, breakdown } = await openScene(context)
  await reprice(february[1], 25n, '2026-03-04T00:00:00.000Z')
  const month = 'metric=cost_usd&window=month&month=2026-02'
  for (const search of [`${month}&api_key=${KEY}`, `${month}&dimension=dim&dim_key=team`]) {
    const [entry] = (await breakdown(search)).repriced
    assert.deepEqual([entry?.before_usd, entry?.after_usd], [30, 35])
  }
})
