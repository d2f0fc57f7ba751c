import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { SITE } from '../../../test/fakes/service-info.ts'
import { journalStateSchema, serviceSchema } from '../contract.ts'
import type { JournalState, Service } from '../contract.ts'
import type { TokenScope } from '../../core/api-key.ts'
import type { JournalHealth } from '../../core/completeness.ts'
import type { DataSizes } from './service-figures.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const HOUR_MS = 3_600_000
const COUNTED = { forwarded: 9, recorded: 8, pending: 1, dead: 0, lost: 0 }

interface Scene extends OpenApi {
  readonly reader: string
  readonly state: { measured: number; isBroken: boolean; fault: string | null }
  ask(authorization?: string): Promise<Service>
}

async function openScene(t: TestContext): Promise<Scene> {
  const state: Scene['state'] = { measured: 0, isBroken: false, fault: null }
  const measureData = (): Promise<DataSizes> => {
    state.measured += 1
    return state.isBroken ? Promise.reject(new Error('no disk')) : SITE.measureData()
  }
  const api = await openApi(NOON, () => ({
    completeness: () => Promise.resolve(COUNTED),
    isReady: () => Promise.resolve(state.fault),
    site: { ...SITE, measureData },
  }))
  t.after(() => api.close())
  const reader = await api.authorize('read:usage')
  return {
    ...api,
    reader,
    state,
    ask: async (authorization = reader) => {
      const response = await api.get('/v1/service', authorization)
      const body: unknown = await response.json()
      assert.equal(response.status, 200, JSON.stringify(body))
      return serviceSchema.parse(body)
    },
  }
}

test('says what it is, how much it keeps, and how its providers do', async (t) => {
  const scene = await openScene(t)
  const failed = { status: 'refused', httpStatus: 503, firstByteAt: NOON - 400 } as const
  await scene.store.writeBatch(
    batchOf(
      createCall(NOON - HOUR_MS - 1),
      createCall(NOON - HOUR_MS, { firstByteAt: NOON - HOUR_MS + 70 }),
      createCall(NOON - 500, failed),
      createCall(NOON - HOUR_MS, { status: 'denied', tokens: null }),
    ),
  )
  const { price_data: prices, ...service } = await scene.ask()
  assert.ok(prices.version.length > 0 && prices.imported_at === null)
  assert.deepEqual(service, {
    as_of: '2026-03-15T12:00:00.000Z',
    version: '1.2.3',
    node_version: '26.0.0',
    started_at: '2026-03-01T08:00:00.000Z',
    proxy_url: 'http://127.0.0.1:7070',
    providers: [
      {
        id: 'north',
        url: 'https://north.example',
        shape: null,
        has_credential: false,
        calls: 2,
        failures: 1,
        refusals: 0,
        first_byte_ms: 70,
        last_call_at: '2026-03-15T11:59:59.500Z',
      },
      {
        id: 'south',
        url: 'http://127.0.0.1:1',
        shape: 'openai',
        has_credential: true,
        calls: 0,
        failures: 0,
        refusals: 0,
        first_byte_ms: null,
        last_call_at: null,
      },
    ],
    data: {
      directory: 'weir-data',
      usage_bytes: 4096,
      settings_bytes: 2048,
      journal_bytes: 512,
      free_bytes: null,
      records: 4,
      denied: 1,
      oldest_record_at: '2026-03-15T10:59:59.999Z',
      newest_record_at: '2026-03-15T11:59:59.500Z',
      retention_days: 400,
    },
    completeness: { as_of: '2026-03-15T12:00:00.000Z', ...COUNTED, is_complete: false, nodes: [] },
    fault: null,
  })
})

test('where the data lies is shown to administrators only', async (t) => {
  const scene = await openScene(t)
  assert.equal((await scene.ask()).data.directory, 'weir-data')
  assert.equal((await scene.ask(await scene.authorize('admin'))).data.directory, SITE.dataDir)
})

test('what takes looking is looked for every ten seconds, a fault is reported at once', async (t) => {
  const scene = await openScene(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => scene.ask()))
  assert.equal(scene.state.measured, 1)
  await scene.store.writeBatch(batchOf(createCall(NOON)))
  scene.state.fault = 'The ledger is behind.'
  scene.clock.monotonicMs += 9_999
  const later = await scene.ask()
  assert.deepEqual([later.data, later.fault], [answers[0]?.data, 'The ledger is behind.'])
  scene.state.fault = null
  scene.clock.monotonicMs += 1
  assert.equal((await scene.ask()).data.records, later.data.records + 1)
})

test('what failed once is looked for again', async (t) => {
  const scene = await openScene(t)
  scene.state.isBroken = true
  assert.equal((await scene.get('/v1/service', scene.reader)).status, 500)
  scene.state.isBroken = false
  assert.equal((await scene.ask()).data.usage_bytes, 4096)
})

test('it takes the scope of usage and no parameters', async (t) => {
  const scene = await openScene(t)
  assert.equal((await scene.get('/v1/service?all=1', scene.reader)).status, 400)
  assert.equal((await scene.get('/v1/service')).status, 401)
  const other = await scene.authorize('read:requests')
  assert.equal((await scene.get('/v1/service', other)).status, 403)
})

test('says whether the disk takes the journal, since when, and how many calls were lost', async (t) => {
  const health = { refusal: null as JournalHealth['refusal'], waiting: 0 }
  const api = await openApi(NOON, () => ({
    completeness: () => Promise.resolve({ ...COUNTED, lost: 3 }),
    site: { ...SITE, readJournalHealth: () => Promise.resolve(health) },
  }))
  t.after(() => api.close())
  const ask = async (...scopes: readonly TokenScope[]): Promise<JournalState> => {
    const response = await api.get('/v1/journal', await api.authorize(...scopes))
    return journalStateSchema.parse(await response.json())
  }
  const well = {
    as_of: '2026-03-15T12:00:00.000Z',
    failing_since: null,
    reason: null,
    on_full: 'go-on',
    waiting: 0,
    lost: 3,
    directory: 'weir-data',
    silent_nodes: [],
  }
  assert.deepEqual(await ask('read:usage'), well)
  Object.assign(health, { refusal: { since: NOON - 100_000, reason: 'ENOSPC' }, waiting: 212 })
  assert.deepEqual(await ask('admin'), {
    ...well,
    failing_since: '2026-03-15T11:58:20.000Z',
    reason: 'ENOSPC',
    waiting: 212,
    directory: SITE.dataDir,
  })
  assert.equal((await api.get('/v1/journal')).status, 401)
  assert.equal((await api.get('/v1/journal', await api.authorize('write:keys'))).status, 403)
})
