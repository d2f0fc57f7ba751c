// Figures that are shown together are of one moment and add up, whatever snapshots /v1/usage keeps;
// and at the same moment both have the same figures.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import {
  CATALOGUE,
  keySpendSchema,
  overviewSchema,
  usageBreakdownSchema,
  usageEnvelopeSchema,
} from '../../src/api/contract.ts'
import { keyPageSchema } from '../../src/api/keys/key-contract.ts'
import type { Overview, UsageBreakdown, UsageEnvelope } from '../../src/api/contract.ts'
import { OPEN_KEY } from '../../src/resources/codecs.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 0.000435 USD, in the unit of money: 10 ** -12 USD. */
const CALL_PICO = 435_000_000n
const MONTH = 'metric=cost_usd&window=month_to_date'
const BY_TEAM = `${MONTH}&dimension=dim&dim_key=team`

let api: OpenApi
let reader: string

beforeEach(async () => {
  api = await openApi(NOON)
  reader = await api.authorize('read:usage', 'read:keys')
})
afterEach(() => api.close())

async function put(event: Partial<UsageEvent> = {}): Promise<void> {
  const endedAt = api.clock.nowMs - 1
  await api.store.writeBatch(batchOf(createRecord({ endedAt, ...event }, { amount: CALL_PICO })))
}

async function read(path: string, as = reader): Promise<unknown> {
  // A second for each: sixty a minute are let pass.
  api.clock.monotonicMs += 1000
  const response = await api.get(path, as)
  assert.equal(response.status, 200, path)
  return response.json()
}

async function overview(search = '', as = reader): Promise<Overview> {
  return overviewSchema.parse(await read(`/v1/overview${search}`, as))
}

async function breakdown(search: string): Promise<UsageBreakdown> {
  return usageBreakdownSchema.parse(await read(`/v1/breakdown?${search}`))
}

async function usage(search: string): Promise<UsageEnvelope> {
  return usageEnvelopeSchema.parse(await read(`/v1/usage?${search}`))
}

test('four calls of one minute are in today and in this month alike', async () => {
  await put()
  // What another reader asked keeps /v1/usage at the first call for five minutes.
  assert.equal((await usage(MONTH)).rows[0]?.value, 0.000435)
  assert.equal((await overview()).figures.month_to_date_usd, 0.000435)
  for (let call = 0; call < 3; call += 1) await put()
  api.clock.nowMs += MINUTE_MS
  assert.equal((await usage(MONTH)).rows[0]?.value, 0.000435)
  const { asOf, figures } = await overview()
  assert.equal(asOf, '2026-03-15T12:01:00.000Z')
  // 4 × 0.000435
  assert.deepEqual([figures.today_usd, figures.month_to_date_usd], [0.00174, 0.00174])
  assert.deepEqual([figures.requests_today, figures.requests_month_to_date], [4, 4])
  for (const rows of [figures.providers, figures.models, figures.keys]) {
    assert.deepEqual(
      rows?.map(({ value }) => value),
      [0.00174],
    )
  }
  assert.equal(figures.days.at(-1)?.value, 0.00174)
})

test('the parts of a breakdown are parts of the total beside them', async () => {
  await put({ dims: { team: 'a' } })
  assert.equal((await usage(MONTH)).rows[0]?.value, 0.000435)
  await put({ dims: { team: 'a' } })
  await put({ dims: { team: 'b' } })
  await put()
  api.clock.nowMs += MINUTE_MS
  const { asOf, rows, total, untagged } = await breakdown(BY_TEAM)
  assert.equal(asOf, '2026-03-15T12:01:00.000Z')
  assert.deepEqual(
    rows.map(({ label, value }) => [label, value]),
    [
      ['a', 0.00087],
      ['b', 0.000435],
    ],
  )
  assert.deepEqual([total, untagged], [0.00174, 0.000435])
  // A key's calls are summed apart, and another dimension is not this one.
  await put({ keyId: 'svc_k_bbbbbbbbbbbbbbbb', dims: { app: 'x' } })
  await put({ keyId: 'svc_k_bbbbbbbbbbbbbbbb', dims: { app: 'x', team: 'b' } })
  const ofKey = await breakdown(`${BY_TEAM}&api_key=svc_k_bbbbbbbbbbbbbbbb`)
  assert.deepEqual([ofKey.total, ofKey.untagged], [0.00087, 0.000435])
  const models = await breakdown(`${MONTH}&dimension=model`)
  assert.deepEqual([models.total, models.untagged], [0.00261, null])
})

test('at the same moment every figure is the one of /v1/usage', async () => {
  for (const daysAgo of [0, 0, 1, 3, 20, 40]) {
    const endedAt = NOON - daysAgo * DAY_MS - 1
    await put({ endedAt, model: `model-${daysAgo}`, dims: { team: `team-${daysAgo}` } })
  }
  await put({ model: null })
  for (const { metric, dimension, windows } of CATALOGUE) {
    for (const window of windows) {
      const search = new URLSearchParams({ metric, window })
      if (dimension !== null) search.set('dimension', dimension)
      if (dimension?.startsWith('dim') === true) search.set('dim_key', 'team')
      if (window === 'month') search.set('month', '2026-02')
      const { rows, asOf } = await usage(search.toString())
      const whole = await breakdown(search.toString())
      assert.deepEqual([whole.asOf, whole.rows], [asOf, rows], search.toString())
      const shown = rows.reduce((sum, { value }) => sum + value, 0)
      assert.ok(Math.abs(whole.total - shown - (whole.untagged ?? 0)) < 1e-9, search.toString())
    }
  }
  const { figures } = await overview('?dim_key=team')
  const total = async (search: string) => (await usage(search)).rows[0]?.value
  const month = `${MONTH}&dimension=`
  assert.deepEqual(figures, {
    today_usd: await total('metric=cost_usd&window=today'),
    yesterday_usd: await total('metric=cost_usd&window=yesterday'),
    month_to_date_usd: await total(MONTH),
    last_month_usd: await total('metric=cost_usd&window=last_month'),
    requests_today: await total('metric=requests&window=today'),
    requests_month_to_date: await total('metric=requests&window=month_to_date'),
    tokens_month_to_date: await total('metric=tokens&window=month_to_date'),
    days: (await usage('metric=cost_usd&window=last_30_days&dimension=day')).rows,
    providers: (await usage(`${month}provider`)).rows,
    models: (await usage(`${month}model`)).rows,
    keys: (await usage(`${month}api_key`)).rows,
    dim_key: 'team',
    dim: (await usage(BY_TEAM)).rows,
  })
})

test('the dimension is the chosen one, or that of most calls; keys need their scope', async () => {
  await put({ dims: { app: 'x' } })
  await put({ dims: { app: 'x', team: 'a' } })
  assert.equal((await overview()).figures.dim_key, 'app')
  const { figures } = await overview('?dim_key=team', await api.authorize('read:usage'))
  assert.deepEqual([figures.dim_key, figures.dim[0]?.label, figures.keys], ['team', 'a', null])
  assert.equal((await overview('?dim_key=team')).figures.keys?.length, 1)
  assert.equal((await api.get('/v1/overview?dim_key=9', reader)).status, 400)
})

test('a breakdown is refused what /v1/usage is refused', async () => {
  const stranger = await api.authorize('read:requests')
  const onlyUsage = await api.authorize('read:usage')
  for (const [search, as, status] of [
    [MONTH, 'Bearer nobody', 401],
    [MONTH, stranger, 403],
    [`${MONTH}&dimension=day`, onlyUsage, 400],
    [`${MONTH}&dimension=api_key`, onlyUsage, 403],
  ] as const) {
    const asked = await Promise.all(
      ['usage', 'breakdown'].map((path) => api.get(`/v1/${path}?${search}`, as)),
    )
    assert.deepEqual(
      asked.map((response) => response.status),
      [status, status],
    )
  }
})

test('the spend of a key is of one moment, and what /v1/usage has at it', async () => {
  const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: 'search' })
  const keyId = key.id
  const asked = `api_key=${keyId}&${MONTH}`
  await put({ keyId })
  assert.equal((await usage(asked)).rows[0]?.value, 0.000435)
  await put({ keyId, model: 'other', endedAt: NOON - 1 })
  await put({ keyId, endedAt: NOON - DAY_MS })
  await put({ keyId, endedAt: NOON - 20 * DAY_MS })
  await put({ keyId: 'svc_k_another' })
  api.clock.nowMs += MINUTE_MS
  assert.equal((await usage(asked)).rows[0]?.value, 0.000435)
  const spend = keySpendSchema.parse(await read(`/v1/keys/${keyId}/spend`))
  const { asOf, days, models, ...totals } = spend
  assert.equal(asOf, '2026-03-15T12:01:00.000Z')
  assert.deepEqual(totals, {
    today_usd: 0.00087,
    yesterday_usd: 0.000435,
    month_to_date_usd: 0.001305,
    last_month_usd: 0.000435,
  })
  assert.deepEqual([days.length, days.at(-1)?.value, days.at(-2)?.value], [30, 0.00087, 0.000435])
  assert.deepEqual(models.map(({ label, value }) => `${label} ${value}`).toSorted(), [
    'model-1 0.00087',
    'other 0.000435',
  ])
  // All kept answers have ended by then.
  api.clock.nowMs += 5 * MINUTE_MS
  const later = keySpendSchema.parse(await read(`/v1/keys/${keyId}/spend`))
  assert.equal((await usage(asked)).rows[0]?.value, later.month_to_date_usd)
  const byModel = await usage(`${asked}&dimension=model&limit=6`)
  assert.deepEqual(byModel.rows, later.models)
})

test('the list of keys and the spend of one are of one moment, also after more calls', async () => {
  const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: 'search' })
  const readBoth = async () => {
    const list = keyPageSchema.parse(await read('/v1/keys'))
    api.clock.nowMs += MINUTE_MS / 4
    const spend = keySpendSchema.parse(await read(`/v1/keys/${key.id}/spend`))
    assert.equal(list.rows[0]?.spent_usd, spend.month_to_date_usd)
    assert.equal(list.spent_as_of, spend.asOf)
    return spend
  }
  await put({ keyId: key.id })
  const first = await readBoth()
  assert.equal(first.month_to_date_usd, 0.000435)
  // Within the time for which an answer of /v1/usage is kept.
  await put({ keyId: key.id, endedAt: NOON - 1 })
  const second = await readBoth()
  assert.equal(second.month_to_date_usd, 0.00087)
  assert.notEqual(second.asOf, first.asOf)
  assert.deepEqual(await readBoth(), second)
  api.clock.nowMs += MINUTE_MS
  assert.notEqual((await readBoth()).asOf, second.asOf)
})

test('the spend of a key takes both scopes, and a key that there is', async () => {
  const path = '/v1/keys/svc_k_AAAAAAAAAAAAAAAA/spend'
  assert.equal((await api.get(path, reader)).status, 404)
  for (const scope of ['read:usage', 'read:keys'] as const) {
    assert.equal((await api.get(path, await api.authorize(scope))).status, 403)
  }
  assert.equal((await api.get(path)).status, 401)
})
