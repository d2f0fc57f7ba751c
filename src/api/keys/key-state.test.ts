// Whether a key's calls are let in, and why not: as the API shows it is what the proxy does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { createdKeySchema, keyPageSchema, keySchema } from '../contract.ts'
import type { CreatedKeyAnswer, ErrorBody } from '../contract.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')

let api: OpenApi
let admin: string

before(async () => {
  api = await openApi(NOW)
  admin = await api.authorize('admin')
})

after(() => api.close())

interface Asked {
  readonly body?: object
  readonly ifMatch?: string
}

async function get(path: string): Promise<unknown> {
  return (await fetch(api.url + path, { headers: { authorization: admin } })).json()
}

async function post(path: string, { body, ifMatch }: Asked = {}) {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { authorization: admin, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
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
