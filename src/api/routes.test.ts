import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { batchOf, createRecord } from '../../test/contracts/usage-scene.ts'
import { SITE } from '../../test/fakes/service-info.ts'
import { SIGN_IN } from '../../test/fakes/sign-in-options.ts'
import type { TokenScope } from '../core/api-key.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import { openSqliteSettings } from '../store/settings/sqlite/store.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { errorBodySchema, usageEnvelopeSchema } from './contract.ts'
import type { ErrorBody } from './contract.ts'
import { openApiServer } from './server.ts'
import type { ApiServer } from './server.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const HOUR_MS = 3_600_000

const CALLS = [
  ['2026-03-15T11:00:00Z', 'small', 'svc_k_aaaaaaaa', 1_500_000_000_000n],
  ['2026-03-15T00:00:00Z', 'large', 'svc_k_bbbbbbbb', 2_000_000_000_000n],
  ['2026-03-14T23:59:59.999Z', null, 'svc_k_aaaaaaaa', 250_000_000_000n],
  ['2026-02-28T23:59:59.999Z', 'small', 'svc_k_aaaaaaaa', 7_000_000_000_000n],
] as const

const state = {
  now: NOW,
  fault: null as Error | null,
  touchFault: null as Error | null,
  readiness: null as string | null,
  warnings: [] as string[],
  logged: [] as string[],
}

let dir: string
let settings: SettingsStore
let store: LedgerStore
let server: ApiServer
let base: string

const note = (fields: object, message: string): void => {
  state.logged.push(`${message} ${JSON.stringify(fields)}`)
}

function touch(id: string): Promise<void> {
  return state.touchFault === null ? settings.tokens.touch(id) : Promise.reject(state.touchFault)
}

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'weir-api-'))
  const clock = { now: () => state.now, monotonic: () => 0 }
  settings = await openSqliteSettings({ file: join(dir, 'settings.sqlite'), clock })
  store = await openSqliteLedger({ file: join(dir, 'usage.sqlite') })
  const records = CALLS.map(([time, model, keyId, amount]) =>
    createRecord({ endedAt: Date.parse(time), model, keyId }, { amount }),
  )
  await store.writeBatch(batchOf(...records))
  server = await openApiServer({
    at: { host: '127.0.0.1', port: 0 },
    settings: { ...settings, tokens: { ...settings.tokens, touch } },
    ledgerProgress: store.progress,
    usage: {
      ...store.usage,
      sum: (question) =>
        state.fault === null ? store.usage.sum(question) : Promise.reject(state.fault),
    },
    clock,
    isReady: () => Promise.resolve(state.readiness),
    listWarnings: () => state.warnings,
    completeness: () => Promise.reject(new Error('these tests do not ask for it')),
    renderMetrics: () => Promise.resolve('weir_open_calls 0\n'),
    slugOf: (provider, model) => `${provider}/${model}`,
    checkTarget: () => Promise.resolve(null),
    sendTest: () => Promise.reject(new Error('these tests do not ask for it')),
    checkKey: () => Promise.reject(new Error('these tests do not ask for it')),
    requireProviders: () => Promise.reject(new Error('these tests do not ask for it')),
    prices: () => Promise.reject(new Error('these tests do not ask for it')),
    teamAdoption: () => Promise.reject(new Error('these tests do not ask for it')),
    info: { version: '1.2.3', proxyUrl: 'http://127.0.0.1:7070', providers: ['some'] },
    consoleDir: null,
    signIn: SIGN_IN,
    site: SITE,
    log: { warn: note, error: note },
  })
  base = `http://127.0.0.1:${server.port}`
})

after(async () => {
  await server.close()
  await store.close()
  await settings.close()
  rmSync(dir, { recursive: true })
})

beforeEach(() => {
  state.now = NOW
  state.fault = null
  state.touchFault = null
  state.readiness = null
  state.logged = []
})

async function createToken(scopes: readonly TokenScope[], expiresAt: number | null = null) {
  const { token, credential } = await settings.tokens.create({
    name: 'test',
    scopes,
    teamId: null,
    expiresAt,
  })
  return { id: token.id, authorization: `Bearer ${credential}` }
}

async function askUsage(search: string, authorization?: string): Promise<Response> {
  const headers = authorization === undefined ? {} : { authorization }
  return fetch(`${base}/v1/usage?${search}`, { headers })
}

async function readError(response: Response): Promise<ErrorBody> {
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const body: unknown = await response.json()
  assert.deepEqual(Object.keys(body as object), ['error', 'code'])
  return errorBodySchema.parse(body)
}

const TODAY = 'metric=cost_usd&window=today'

describe('GET /v1/usage', () => {
  test('answers totals', async () => {
    const { authorization } = await createToken(['read:usage'])
    for (const [search, value] of [
      ['window=today', 3.5],
      ['window=yesterday', 0.25],
      ['window=month_to_date', 3.75],
      ['window=last_month', 7],
      ['window=month&month=2026-02', 7],
      ['window=month&month=2025-02', 0],
      ['window=today&api_key=svc_k_aaaaaaaa', 1.5],
      ['window=today&api_key=svc_k_unknown', 0],
    ] as const) {
      const response = await askUsage(`metric=cost_usd&${search}`, authorization)
      assert.equal(response.status, 200, search)
      assert.deepEqual(await response.json(), {
        asOf: '2026-03-15T12:00:00.000Z',
        rows: [{ label: 'total', value, bucket: null, model: null, requests: null, tokens: null }],
      })
    }
  })

  test('answers models, largest first', async () => {
    const { authorization } = await createToken(['admin'])
    const search = 'metric=cost_usd&window=month_to_date&dimension=model'
    const all = usageEnvelopeSchema.parse(await (await askUsage(search, authorization)).json())
    assert.deepEqual(
      all.rows.map(({ label, value }) => [label, value]),
      [
        ['large', 2],
        ['small', 1.5],
        ['unknown', 0.25],
      ],
    )
    const cut = await askUsage(`${search}&limit=1&api_key=svc_k_aaaaaaaa`, authorization)
    const { rows } = usageEnvelopeSchema.parse(await cut.json())
    assert.deepEqual(
      rows.map((row) => row.label),
      ['small'],
    )
  })

  test('refuses a missing, expired or revoked token', async () => {
    const expiring = await createToken(['read:usage'], NOW + HOUR_MS)
    const revoked = await createToken(['read:usage'])
    await settings.tokens.revoke(revoked.id)
    assert.equal((await askUsage(TODAY, expiring.authorization)).status, 200)
    state.now = NOW + HOUR_MS
    for (const authorization of [undefined, revoked.authorization, expiring.authorization]) {
      const response = await askUsage('', authorization)
      assert.equal(response.status, 401)
      assert.equal(response.headers.get('www-authenticate'), 'Bearer')
      assert.equal((await readError(response)).code, 'unauthorized')
    }
  })

  test('checks token, scope, parameters, catalogue, then the scope for keys', async () => {
    const stranger = await createToken(['read:keys'])
    const reader = await createToken(['read:usage'])
    for (const [search, authorization, status, code] of [
      ['limit=x', undefined, 401, 'unauthorized'],
      ['limit=x', stranger.authorization, 403, 'scope_denied'],
      ['limit=x', reader.authorization, 400, 'invalid_parameter'],
      [`${TODAY}&dimension=model&limit=x`, reader.authorization, 400, 'invalid_parameter'],
      [`${TODAY}&dimension=model`, reader.authorization, 400, 'unknown_catalog_tuple'],
      [`${TODAY}&dimension=api_key`, reader.authorization, 403, 'scope_denied'],
    ] as const) {
      const response = await askUsage(search, authorization)
      assert.equal(response.status, status, search)
      assert.equal((await readError(response)).code, code)
    }
  })

  test('notes when a token was last used, and reads the scheme in any case', async () => {
    const { id, authorization } = await createToken(['read:usage'])
    await askUsage(TODAY, authorization.replace('Bearer', 'bearer'))
    assert.notEqual((await settings.tokens.find(id))?.lastUsedAt, null)
  })

  test('answers also when the last use of a token cannot be noted', async () => {
    const { authorization } = await createToken(['read:usage'])
    state.touchFault = new Error('disk full')
    assert.equal((await askUsage(TODAY, authorization)).status, 200)
    assert.match(state.logged.join(), /last use of a token was not noted.*disk full/)
  })

  test('hides an unexpected failure from the caller and logs it without the token', async () => {
    const { authorization } = await createToken(['read:usage'])
    state.fault = new Error('disk on fire', { cause: new Error('sparks') })
    // A question of its own: what was asked before is answered without the store.
    const response = await askUsage(`${TODAY}&api_key=svc_k_cccccccc`, authorization)
    assert.equal(response.status, 500)
    const body = await readError(response)
    assert.equal(body.code, 'internal')
    assert.ok(!body.error.includes('fire'))
    assert.equal(state.logged.length, 1)
    assert.match(state.logged[0] ?? '', /"route":"\/v1\/usage".*disk on fire.*sparks/)
    assert.ok(!state.logged[0]?.includes('svc_agt_'))
  })
})

describe('the other routes', () => {
  test('health, readiness, metrics and info', async () => {
    assert.deepEqual(await (await fetch(`${base}/healthz`)).json(), { status: 'ok' })
    state.warnings = ['The clock is off.']
    const ready = await fetch(`${base}/readyz`)
    assert.equal(ready.status, 200)
    assert.deepEqual(await ready.json(), { status: 'ok', warnings: state.warnings })
    state.warnings = []
    state.readiness = 'The disk is full.'
    const unready = await fetch(`${base}/readyz`)
    assert.equal(unready.status, 503)
    assert.deepEqual(await unready.json(), { status: 'unready', reason: 'The disk is full.' })
    const metrics = await fetch(`${base}/metrics`)
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    assert.equal(await metrics.text(), 'weir_open_calls 0\n')
    assert.deepEqual(await (await fetch(`${base}/v1/info`)).json(), {
      version: '1.2.3',
      proxy_url: 'http://127.0.0.1:7070',
      providers: ['some'],
    })
  })

  test('HEAD works where GET does', async () => {
    for (const path of ['/healthz', '/metrics', '/v1/openapi.json', '/v1/info', '/', '/setup']) {
      const response = await fetch(base + path, { method: 'HEAD' })
      assert.equal(response.status, 200, path)
      assert.equal(await response.text(), '')
    }
    assert.equal((await fetch(`${base}/v1/usage`, { method: 'HEAD' })).status, 401)
  })

  test('another method on a known path is 405 and says which are allowed', async () => {
    for (const [method, path, allow] of [
      ['POST', '/v1/usage', 'GET, HEAD'],
      ['OPTIONS', '/v1/usage', 'GET, HEAD'],
      ['DELETE', '/healthz', 'GET, HEAD'],
      ['PUT', '/', 'GET, HEAD'],
      ['POST', '/setup', 'GET, HEAD'],
      ['GET', '/v1/setup', 'POST'],
    ] as const) {
      const response = await fetch(base + path, { method })
      assert.equal(response.status, 405, `${method} ${path}`)
      assert.equal(response.headers.get('allow'), allow)
      assert.equal((await readError(response)).code, 'method_not_allowed')
    }
  })

  test('an unknown path below /v1 is 404', async () => {
    for (const path of ['/v1', '/v1/', '/v1/usage/', '/v1/nothing']) {
      const response = await fetch(base + path)
      assert.equal(response.status, 404, path)
      assert.equal((await readError(response)).code, 'not_found')
    }
  })

  test('answers no other origin', async () => {
    const response = await fetch(`${base}/v1/info`, { headers: { origin: 'http://example.com' } })
    assert.equal(response.headers.get('access-control-allow-origin'), null)
  })
})
