// Whether a key's calls are let in, and why not: as the API shows it is what the proxy does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import {
  createdKeySchema,
  keyBudgetListSchema,
  keyCheckSchema,
  keyPageSchema,
  keyRowSchema,
  keySchema,
} from '../contract.ts'
import type { CreatedKeyAnswer, ErrorBody, KeyCheckAnswer, KeyRow } from '../contract.ts'

const USD = 10n ** 12n
const NOW = Date.parse('2026-03-19T12:00:00.000Z')

let api: OpenApi
let admin: string

before(async () => {
  api = await openApi(NOW)
  admin = await api.authorize('admin')
})

after(() => api.close())

interface Asked {
  readonly authorization?: string
  readonly body?: object
  readonly ifMatch?: string
}

async function get(path: string, authorization = admin): Promise<unknown> {
  return (await fetch(api.url + path, { headers: { authorization } })).json()
}

async function post(path: string, { body, ifMatch, authorization = admin }: Asked = {}) {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { authorization, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function create(body: object): Promise<CreatedKeyAnswer> {
  return createdKeySchema.parse((await post('/v1/keys', { body })).body)
}

test('a key is paused and resumed, by whoever saw its last change', async () => {
  const made = await create({ name: 'stopped' })
  const act = (name: string, asked?: Asked) => post(`/v1/keys/${made.id}/${name}`, asked)
  const count = async (status: string) =>
    keyPageSchema.parse(await get(`/v1/keys?search=stopped&status=${status}`)).total
  const paused = keySchema.parse((await act('pause')).body)
  assert.deepEqual([paused.status, paused.paused_at], ['paused', '2026-03-19T12:00:00.000Z'])
  assert.deepEqual(keySchema.parse((await act('pause')).body), paused)
  assert.deepEqual([await count('paused'), await count('active')], [1, 0])
  assert.equal((await act('resume', { ifMatch: `"${made.version}"` })).status, 412)
  const resumed = keySchema.parse((await act('resume')).body)
  assert.deepEqual([resumed.status, resumed.paused_at], ['active', null])
  await act('revoke')
  for (const name of ['pause', 'resume']) {
    const refused = await act(name)
    assert.equal(refused.status, 400)
    assert.match((refused.body as ErrorBody).error, /revoked for good/)
  }
  assert.equal((await post('/v1/keys/svc_k_none/pause')).status, 404)
  const { rows } = (await get(`/v1/audit?subject=${made.id}`)) as { rows: { action: string }[] }
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['key.revoke', 'key.resume', 'key.pause', 'key.create'],
  )
})

async function readRow(id: string, authorization = admin): Promise<KeyRow> {
  return keyRowSchema.parse(await get(`/v1/keys/${id}`, authorization))
}

async function check(body: object, authorization = admin): Promise<KeyCheckAnswer> {
  return keyCheckSchema.parse((await post('/v1/keys/check', { body, authorization })).body)
}

/** A blocking budget of a dollar a month. */
async function createBudget(scope: string, more: object = {}): Promise<string> {
  const body = {
    name: `of ${scope}`,
    scope,
    limit_usd: 1,
    period: 'month',
    blocking: true,
    ...more,
  }
  const { status, body: made } = await post('/v1/budgets', { body })
  assert.equal(status, 201)
  return (made as { id: string }).id
}

async function spend(keyId: string, provider = 'openai', model = 'big'): Promise<void> {
  const about = { keyId, provider, model, startedAt: NOW - 5, endedAt: NOW - 1 }
  await api.store.writeBatch(batchOf(createRecord(about, { amount: USD })))
}

test('a key whose blocking budget is used up is blocked, with the reason and the way out', async () => {
  const { id } = await create({ name: 'broke' })
  const budget = await createBudget(`api_key=${id}`)
  assert.equal((await readRow(id)).state.status, 'active')
  await spend(id)
  const { status, state } = await readRow(id)
  assert.equal(status, 'active')
  assert.equal(state.status, 'blocked')
  assert.equal(state.until, '2026-04-01T00:00:00.000Z')
  assert.match(state.reason ?? '', /"of api_key=\S+" \(bud_\w+\) is used up: \$1\.00 of \$1\.00/)
  assert.match(state.reason ?? '', /resets at 2026-04-01T00:00:00Z; raise its limit/)
  const scope = `api_key=${id}`
  const used = { id: budget, name: `of ${scope}`, scope, covers: 'all', resets_at: state.until }
  assert.deepEqual([state.budgets, state.used_up], [1, [used]])
  const { rows } = keyPageSchema.parse(await get('/v1/keys?search=broke&status=blocked'))
  assert.deepEqual(rows[0]?.state, state)
  assert.equal(keyPageSchema.parse(await get('/v1/keys?search=broke&status=active')).total, 0)
  const verdict = await check({ key_id: id, provider: 'openai', model: 'big' })
  const wanted = { allowed: false, reason: state.reason, budget_id: budget, until: state.until }
  assert.deepEqual({ ...verdict, slug: '', pattern: '' }, { ...wanted, slug: '', pattern: '' })
  await fetch(`${api.url}/v1/budgets/${budget}`, {
    method: 'PATCH',
    headers: { authorization: admin },
    body: JSON.stringify({ limit_usd: 2 }),
  })
  assert.equal((await readRow(id)).state.status, 'active')
  assert.equal((await check({ key_id: id, provider: 'openai', model: 'big' })).allowed, true)
})

test('a budget of a provider or a model that is used up is named, and refuses its calls alone', async () => {
  const { id } = await create({ name: 'partly' })
  const other = await create({ name: 'held to it', allowed_models: ['mistral/huge*'] })
  const budget = await createBudget('model=mistral/huge*')
  await spend(id, 'mistral', 'huge-1')
  const { state } = await readRow(id)
  assert.deepEqual([state.status, state.until], ['active', null])
  assert.match(state.reason ?? '', /^Some of its calls are refused\. The budget "of model=mistral/)
  assert.deepEqual(
    state.used_up.map((each) => [each.id, each.covers]),
    [[budget, 'some']],
  )
  const refused = await check({ key_id: id, provider: 'mistral', model: 'huge-1' })
  assert.deepEqual([refused.allowed, refused.budget_id], [false, budget])
  assert.equal((await check({ key_id: id, provider: 'mistral', model: 'small' })).allowed, true)
  assert.equal((await readRow(other.id)).state.status, 'blocked')
  await post(`/v1/keys/${other.id}/pause`)
  const paused = await readRow(other.id)
  assert.deepEqual([paused.status, paused.state.status], ['paused', 'paused'])
  assert.match(paused.state.reason ?? '', /refused until it is resumed/)
  assert.match(
    (await check({ key_id: other.id, provider: 'mistral', model: 'huge-1' })).reason,
    /paused/,
  )
})

test('who may not read usage learns that a key is blocked, and not by which budget', async () => {
  const { id } = await create({ name: 'hidden' })
  await createBudget(`api_key=${id}`, { name: 'Project Falcon' })
  await spend(id)
  const reader = await api.authorize('read:keys')
  const { state } = await readRow(id, reader)
  assert.deepEqual([state.status, state.used_up], ['blocked', []])
  const verdict = await check({ key_id: id, provider: 'openai', model: 'big' }, reader)
  assert.deepEqual([verdict.allowed, verdict.budget_id], [false, null])
  assert.doesNotMatch(JSON.stringify([state, verdict]), /Falcon|1\.00/)
})

test('the budgets of a key are those that count its calls', async () => {
  const dims = { locked_dims: { team: 'search' }, default_dims: { env: 'test' } }
  const { id } = await create({ name: 'counted', ...dims })
  const own = await createBudget(`api_key=${id}`, { limit_usd: 4, blocking: false })
  const team = await createBudget('dim:team=search')
  await createBudget('dim:team=ads')
  const env = await createBudget('dim:env=test')
  await spend(id, 'cohere')
  const { rows } = keyBudgetListSchema.parse(await get(`/v1/keys/${id}/budgets`))
  const found = rows
    .filter((row) => [own, team, env].includes(row.id))
    .map((row) => [row.id, row.covers, row.spent_percent])
  assert.deepEqual(found, [
    [own, 'all', 25],
    [team, 'all', 0],
    [env, 'some', 0],
  ])
  assert.equal((await readRow(id)).state.budgets, rows.length)
  assert.ok(rows.every(({ scope }) => scope !== 'dim:team=ads'))
  for (const scope of ['read:keys', 'read:usage'] as const) {
    const answer = (await get(`/v1/keys/${id}/budgets`, await api.authorize(scope))) as ErrorBody
    assert.equal(answer.code, 'scope_denied')
  }
})

test('a key is made with a budget of its own, both or neither', async () => {
  const budget = { limit_usd: '50', period: 'week', blocking: true }
  const made = await create({ name: 'capped', allowed_models: ['openai/*'], budget })
  const { rows } = keyBudgetListSchema.parse(await get(`/v1/keys/${made.id}/budgets`))
  const own = rows.find((row) => row.id === made.budget_id)
  assert.ok(own)
  assert.deepEqual(
    [own.name, own.scope, own.limit_usd, own.period, own.blocking, own.thresholds],
    ['capped', `api_key=${made.id}`, 50, 'week', true, [50, 80, 100]],
  )
  const audit = (await get('/v1/audit?limit=2')) as { rows: { action: string }[] }
  assert.deepEqual(
    audit.rows.map(({ action }) => action),
    ['budget.create', 'key.create'],
  )
  const authorization = await api.authorize('write:keys')
  const body = { name: 'none of it', budget: { limit_usd: 1 } }
  const denied = await post('/v1/keys', { body, authorization })
  assert.equal(denied.status, 403)
  assert.match((denied.body as ErrorBody).error, /write:budgets/)
  const wrong = await post('/v1/keys', { body: { ...body, budget: { limit_usd: 0 } } })
  assert.equal(wrong.status, 400)
  assert.match((wrong.body as ErrorBody).error, /limit_usd/)
  assert.equal(keyPageSchema.parse(await get('/v1/keys?search=none of it')).total, 0)
})
