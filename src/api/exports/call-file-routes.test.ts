import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import { createRequestSamples, filterSamples } from '../../../test/fakes/callers/request-samples.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { createRequestId } from '../../core/ids.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import { toRequestRow } from '../requests/request-row.ts'
import { EXPORT_LIMITS } from './export-slots.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const samples = createRequestSamples(420)

let api: OpenApi
let reader: string

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:requests')
  await api.store.writeBatch(batchOf(...samples))
})

after(() => api.close())

async function read(path: string, authorization = reader): Promise<Response> {
  const response = await api.get(path, authorization)
  assert.equal(response.status, 200)
  return response
}

test('requests.csv has the calls that match, newest first, and no other', async () => {
  const filter = { ...ALL_REQUESTS, status: ['cut', 'denied'], provider: 'north' } as const
  const wanted = filterSamples(samples, filter)
  assert.ok(wanted.length > 20)
  const question = 'status=cut&status=denied&provider=north'
  const response = await read(`/v1/exports/requests.csv?${question}`)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(
    response.headers.get('content-disposition'),
    'attachment; filename="weir-requests-20260315T1200Z.csv"',
  )
  const { rows } = parseCsv(await response.text())
  assert.deepEqual(
    rows.map((row) => row['id']),
    wanted.map(({ event }) => event.id),
  )
})

test('requests.jsonl has a line for each call, as the request log has it', async () => {
  const response = await read('/v1/exports/requests.jsonl')
  assert.equal(response.headers.get('content-type'), 'application/jsonl; charset=utf-8')
  const lines = (await response.text()).split('\n')
  assert.equal(lines.pop(), '')
  const wanted = filterSamples(samples, ALL_REQUESTS).map((record) => {
    const { own_ms: _, ...row } = toRequestRow(record, new Map())
    const about = { api_key_name: null, api_key_cost_center: null }
    return { ...row, cost_usd: row.status === 'denied' ? null : row.cost_usd, ...about }
  })
  assert.deepEqual(
    lines.map((line): unknown => JSON.parse(line)),
    wanted,
  )
})

test('the names of keys are beside their ids for who may read keys', async (t) => {
  const own = await openApi(NOW)
  t.after(() => own.close())
  const { key } = await own.settings.keys.create({ ...OPEN_KEY, name: '=search' })
  const { id } = key
  const times = { id: createRequestId(NOW - 1000), startedAt: NOW - 1000, endedAt: NOW }
  await own.store.writeBatch(batchOf(createRecord({ ...times, keyId: id })))
  for (const [scopes, csv, json] of [
    [['read:requests', 'read:keys'], "'=search", '=search'],
    [['read:requests'], '', null],
  ] as const) {
    const authorization = await own.authorize(...scopes)
    const file = await own.get('/v1/exports/requests.csv', authorization)
    const [row] = parseCsv(await file.text()).rows
    assert.deepEqual([row?.['api_key'], row?.['api_key_name']], [id, csv])
    const lines = await own.get('/v1/exports/requests.jsonl', authorization)
    const line = JSON.parse(await lines.text()) as Record<string, unknown>
    assert.deepEqual([line['api_key'], line['api_key_name']], [id, json])
  }
})

test('a file without calls has the names of the columns alone', async () => {
  const text = await (await read('/v1/exports/requests.csv?provider=nobody')).text()
  assert.match(
    text,
    /^id,started_at,.*,api_key_cost_center,provider_error,team_id,.*,person,tool,.*,retry\r\n$/,
  )
  assert.equal(await (await read('/v1/exports/requests.jsonl?provider=nobody')).text(), '')
})

test('takes the filters alone, and needs the scope of the log', async () => {
  for (const search of ['limit=5', 'sort=cost', 'month=2026-03', 'status=odd', 'dim_value=x']) {
    const response = await api.get(`/v1/exports/requests.csv?${search}`, reader)
    assert.equal(response.status, 400, search)
  }
  const other = await api.authorize('read:usage')
  assert.equal((await api.get('/v1/exports/requests.csv', other)).status, 403)
})

test('shares the slots of the other exports, and gives its own back', async (t) => {
  const waiting = Promise.withResolvers<void>()
  const own = await openApi(NOW, ({ usage }) => {
    const list: typeof usage.requests.list = async (...asked) => {
      await waiting.promise
      return usage.requests.list(...asked)
    }
    return { usage: { ...usage, requests: { ...usage.requests, list } } }
  })
  t.after(() => own.close())
  const authorization = await own.authorize('read:requests')
  const ask = () => own.get('/v1/exports/requests.csv', authorization)
  // The names of the columns come before a page is read.
  const running = await Promise.all(Array.from({ length: EXPORT_LIMITS.atOnceMax }, ask))
  for (const path of ['requests.jsonl', 'usage.csv?month=2026-03']) {
    const busy = await own.get(`/v1/exports/${path}`, authorization)
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '5'])
  }
  waiting.resolve()
  for (const response of running) assert.equal((await response.text()).split('\n').length, 2)
  for (let round = 0; round <= EXPORT_LIMITS.atOnceMax; round += 1) {
    const response = await ask()
    assert.equal(response.status, 200)
    await response.text()
  }
})
