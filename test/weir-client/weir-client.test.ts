// The client against the API itself, imported as its users import it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOGUE, createWeirClient, WeirApiError } from 'weir/client'
import type { UsageQuery, WeirClient } from 'weir/client'
import {
  alertPageSchema,
  analysisSchema,
  budgetListSchema,
  completenessSchema,
  keyCheckSchema,
  keyPageSchema,
  keyRowSchema,
  missingPriceListSchema,
  priceHistorySchema,
  pricePageSchema,
  priceRuleListSchema,
  requestDetailSchema,
  requestPageSchema,
  REQUESTS_PER_MINUTE_MAX,
  serviceInfoSchema,
  targetListSchema,
  tokenListSchema,
  usageEnvelopeSchema,
  userListSchema,
} from '../../src/api/contract.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { OPEN_KEY } from '../../src/resources/codecs.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const CALLS = 5

let api: OpenApi
let client: WeirClient

const toToken = (header: string): string => header.replace('Bearer ', '')

async function createToken(): Promise<string> {
  return toToken(await api.authorize('read:usage', 'read:keys', 'read:requests'))
}

before(async () => {
  api = await openApi(NOW)
  const records = Array.from({ length: CALLS }, (_, index) => {
    const startedAt = NOW - 60_000 + index * 1000
    const times = { id: createRequestId(startedAt), startedAt, endedAt: startedAt + 500 }
    return createRecord({ ...times, dims: { team: 'a' } }, { amount: 10n ** 12n })
  })
  await api.store.writeBatch(batchOf(...records))
  client = createWeirClient({ url: `${api.url}//`, token: await createToken() })
})

after(() => api.close())

/** A question for each window of each row. */
function listQuestions(): UsageQuery[] {
  return CATALOGUE.flatMap(({ metric, dimension, windows }) =>
    windows.map((window) => {
      const isByDim = dimension === 'dim' || dimension === 'dim_model'
      return {
        metric,
        window,
        dimension: dimension ?? undefined,
        dim_key: isByDim ? 'team' : undefined,
        month: window === 'month' ? '2026-03' : undefined,
      } as UsageQuery
    }),
  )
}

test('every question of the catalogue is answered', async () => {
  const questions = listQuestions()
  assert.equal(questions.length, 23)
  for (const question of questions) usageEnvelopeSchema.parse(await client.usage(question))
  const byModel = { metric: 'cost_usd', window: 'month_to_date', dimension: 'model' } as const
  const { asOf, rows } = await client.usage({ ...byModel, limit: 1 })
  assert.equal(asOf, '2026-03-15T12:00:00.000Z')
  assert.deepEqual(
    rows.map(({ label, value }) => [label, value]),
    [['model-1', CALLS]],
  )
})

test('any other question is an analysis, of one value or a list of them', async () => {
  const { rows, total } = analysisSchema.parse(
    await client.analysis({
      group_by: ['dim:team', 'model'],
      filter: ['model=model-1', 'model=another', 'dim:team!='],
      interval: 'hour',
      from: '2026-03-15',
      latency: true,
    }),
  )
  assert.deepEqual(
    rows.map(({ group, cost_usd: cost }) => [...group.map(({ value }) => value), cost]),
    [['a', 'model-1', CALLS]],
  )
  assert.ok(total.total_ms !== null)
  assert.equal((await client.analysis({ group_by: 'provider' })).rows.length, 1)
  assert.equal((await client.analysis()).total.cost_usd, CALLS)
  // @ts-expect-error -- there is no such interval
  await assert.rejects(client.analysis({ interval: 'minute' }), { code: 'invalid_parameter' })
})

test('what is outside the catalogue is a fault of types, and refused', async () => {
  const refused = { code: 'unknown_catalog_tuple', status: 400 }
  await assert.rejects(
    // @ts-expect-error -- models are not served by the day
    client.usage({ metric: 'cost_usd', dimension: 'model', window: 'today' }),
    refused,
  )
  await assert.rejects(
    // @ts-expect-error -- tokens are served as a total only
    client.usage({ metric: 'tokens', dimension: 'model', window: 'month_to_date' }),
    refused,
  )
  const incomplete = { code: 'invalid_parameter', status: 400 }
  await assert.rejects(
    // @ts-expect-error -- a month must be named
    client.usage({ metric: 'cost_usd', window: 'month' }),
    incomplete,
  )
  await assert.rejects(
    // @ts-expect-error -- a month is named for nothing
    client.usage({ metric: 'cost_usd', window: 'today', month: '2026-03' }),
    incomplete,
  )
  await assert.rejects(
    // @ts-expect-error -- the dimension must be named
    client.usage({ metric: 'cost_usd', window: 'month_to_date', dimension: 'dim' }),
    incomplete,
  )
  await assert.rejects(
    // @ts-expect-error -- requests are not served by key
    client.usage({ metric: 'requests', window: 'today', api_key: 'svc_k_a' }),
    incomplete,
  )
})

test('pages follow each other, and their rows are one list', async () => {
  const first = await client.requests({ limit: 2 })
  requestPageSchema.parse(first)
  assert.equal(first.rows.length, 2)
  const second = await client.requests({ limit: 2, cursor: first.next_cursor ?? undefined })
  const ids: string[] = []
  for await (const row of client.allRequests({ limit: 2 })) ids.push(row.id)
  assert.equal(new Set(ids).size, CALLS)
  const shown = [...first.rows, ...second.rows].map(({ id }) => id)
  assert.deepEqual(ids.slice(0, 4), shown)
  const rest: string[] = []
  const cursor = first.next_cursor ?? undefined
  for await (const row of client.allRequests({ limit: 2, cursor })) rest.push(row.id)
  assert.deepEqual(rest, ids.slice(2))
  assert.deepEqual((await client.requests()).rows.length, CALLS)
})

test('pages without rows are not the end', async () => {
  const pages = [
    { rows: [], next_cursor: 'b' },
    { rows: [{ id: '1' }], next_cursor: 'c' },
    { rows: [], next_cursor: null },
  ]
  const asked: string[] = []
  const fetch = async (address: unknown): Promise<Response> => {
    asked.push(new URL(String(address)).search)
    return Response.json(pages[asked.length - 1])
  }
  const paged = createWeirClient({ url: 'http://weir.test', token: 'svc_agt_a.b', fetch })
  const ids: string[] = []
  for await (const { id } of paged.allRequests({ status: 'denied' })) ids.push(id)
  assert.deepEqual(ids, ['1'])
  assert.deepEqual(asked, ['?status=denied', '?status=denied&cursor=b', '?status=denied&cursor=c'])
})

test('budgets and their alerts are read', async () => {
  const { id } = await api.settings.budgets.create({
    name: 'all',
    scope: { kind: 'global' },
    period: 'month',
    limit: 10n * 10n ** 12n,
    thresholds: [50],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: false,
  })
  await api.settings.alerts.take(
    [
      {
        id: 'msg_1',
        kind: 'budget.threshold',
        budgetId: id,
        at: NOW,
        body: `{"type":"budget.threshold","timestamp":"${new Date(NOW).toISOString()}","data":{}}`,
      },
    ],
    1,
  )
  const { rows } = budgetListSchema.parse(await client.budgets())
  assert.deepEqual([rows.length, rows[0]?.spent_percent], [1, CALLS * 10])
  assert.deepEqual(await client.budget(id), rows[0])
  const page = alertPageSchema.parse(await client.alerts({ budget: id, limit: 1 }))
  assert.deepEqual([page.rows.map((row) => row.id), page.next_cursor], [['msg_1'], null])
  assert.deepEqual((await client.alerts()).rows.length, 1)
  await assert.rejects(client.budget('../budgets'), { code: 'not_found' })
})

test('single calls, completeness and the service are read', async () => {
  const [row] = (await client.requests({ limit: 1 })).rows
  const detail = await client.request(row?.id ?? '')
  requestDetailSchema.parse(detail)
  assert.equal(detail.id, row?.id)
  completenessSchema.parse(await client.completeness())
  assert.equal(serviceInfoSchema.parse(await client.info()).version, '1.2.3')
  for (const id of ['no/such?id', '..', '', '$&', 'ü']) {
    await assert.rejects(client.request(id), { status: 404, code: 'not_found' }, id)
  }
})

test('keys, tokens, users, targets and prices are read', async () => {
  const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: 'one' })
  await api.settings.keys.create({ ...OPEN_KEY, name: 'two' })
  const admin = createWeirClient({ url: api.url, token: toToken(await api.authorize('admin')) })
  const page = keyPageSchema.parse(await admin.keys({ order: 'created', limit: 1 }))
  assert.deepEqual([page.rows.length, page.total, page.next_cursor], [1, 2, '1'])
  assert.equal(keyRowSchema.parse(await admin.key(key.id)).name, 'one')
  const question = { key_id: key.id, provider: 'openai', model: 'gpt-4o' }
  assert.equal(keyCheckSchema.parse(await admin.checkKey(question)).allowed, true)
  await assert.rejects(admin.checkKey({ ...question, provider: 'Nobody' }), {
    code: 'invalid_parameter',
  })
  assert.ok(tokenListSchema.parse(await admin.tokens()).rows.length > 1)
  assert.deepEqual(userListSchema.parse(await admin.users()).rows, [])
  assert.deepEqual(targetListSchema.parse(await admin.targets()).rows, [])
  assert.equal(pricePageSchema.parse(await admin.prices({ limit: 1 })).rows.length, 1)
  assert.deepEqual(priceRuleListSchema.parse(await admin.priceRules()).rows, [])
  assert.deepEqual(missingPriceListSchema.parse(await admin.missingPrices()).rows, [])
  const model = { provider: 'openai', model: 'gpt-4o' }
  const current = (await admin.priceHistory(model)).periods.filter((each) => each.is_current)
  assert.ok(current.length > 0)
  // The model was made in 2024.
  const early = priceHistorySchema.parse(await admin.priceHistory({ ...model, at: '2020-01-01' }))
  assert.ok(early.periods.length > 0)
  assert.deepEqual(
    early.periods.filter((each) => each.is_current && each.since !== null),
    [],
  )
})

test('exports are streams of CSV', async () => {
  for (const method of ['exportUsage', 'exportFocus'] as const) {
    const stream = await client[method]({ month: '2026-03' })
    const text = await new Response(stream).text()
    assert.equal(text.split('\r\n').length, CALLS + 2, text)
    await assert.rejects(client[method]({ month: '2027-01' }), { code: 'invalid_parameter' })
  }
})

test('a refusal says what the API says, and never the token', async () => {
  const token = 'svc_agt_nobody.secret-of-nobody'
  const stranger = createWeirClient({ url: api.url, token })
  await assert.rejects(stranger.completeness(), (error) => {
    assert.ok(error instanceof WeirApiError)
    assert.equal(error.status, 401)
    assert.equal(error.code, 'unauthorized')
    assert.equal(error.retryAfterSeconds, null)
    assert.match(error.message, /token/i)
    assert.ok(!JSON.stringify(describe(error)).includes('secret-of-nobody'))
    return true
  })
})

/** All that an error contains. */
function describe(error: unknown): unknown {
  const names = Object.getOwnPropertyNames(error)
  return names.map((name) => [name, (error as Record<string, unknown>)[name]])
}

test('a client that is asked to wait waits as long, and is answered', async (t) => {
  const token = await createToken()
  const impatient = createWeirClient({ url: api.url, token, waitOnRateLimit: false })
  const question = { metric: 'requests', window: 'today' } as const
  for (let asked = 0; asked < REQUESTS_PER_MINUTE_MAX; asked++) await impatient.usage(question)
  api.clock.monotonicMs += 12_500
  await assert.rejects(impatient.usage(question), {
    status: 429,
    code: 'rate_limited',
    retryAfterSeconds: 48,
  })
  const waits: number[] = []
  const { setTimeout: realTimeout } = globalThis
  // The wait itself is skipped: it is the server's clock that goes on by as much. Connections have
  // timers too.
  t.mock.method(globalThis, 'setTimeout', ((run: () => void, ms: number, ...rest: unknown[]) => {
    if (ms !== 48_000) return realTimeout(run, ms, ...(rest as []))
    waits.push(ms)
    api.clock.monotonicMs += ms
    return realTimeout(run, 0)
  }) as typeof setTimeout)
  const patient = createWeirClient({ url: api.url, token })
  assert.equal((await patient.usage(question)).rows[0]?.value, CALLS)
  assert.deepEqual(waits, [48_000])
})
