// Who may change keys and not read them: the answers give away nothing of what others decided.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'

const OTHER = { name: 'secretive', allowed_models: ['openai/*'], note: 'ours' }

let api: OpenApi
let admin: string
let writer: string

before(async () => {
  api = await openApi(Date.UTC(2026, 2, 19, 12))
  admin = await api.authorize('admin')
  writer = await api.authorize('write:keys')
})

after(() => api.close())

type Members = Readonly<Record<string, unknown>>

async function ask(route: string, authorization: string, body?: object) {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Members }
}

test('a key that it makes is answered without the ids of others of that name', async () => {
  await ask('POST /v1/keys', admin, OTHER)
  const { status, body } = await ask('POST /v1/keys', writer, { name: 'Secretive' })
  assert.equal(status, 201)
  assert.deepEqual([body['name'], body['allowed_models']], ['Secretive', []])
  assert.match(String(body['key']), /^svc_k_/)
  assert.ok(!('same_name' in body))
})

test('a key that it changes is answered as far as it gave it', async () => {
  const { body: made } = await ask('POST /v1/keys', admin, OTHER)
  const path = `/v1/keys/${String(made['id'])}`
  const change = { rate_limit_rpm: 7 }
  const { status, body } = await ask(`PATCH ${path}`, writer, change)
  const { version, ...rest } = body
  assert.deepEqual([status, typeof version], [200, 'number'])
  assert.deepEqual(rest, { id: made['id'], ...change })
  const verbs = { rotate: ['id', 'key', 'version'], 'end-grace': ['id', 'version'] }
  for (const [verb, names] of Object.entries({ ...verbs, revoke: ['id', 'version'] })) {
    const answer = await ask(`POST ${path}/${verb}`, writer)
    assert.deepEqual([answer.status, Object.keys(answer.body).toSorted()], [200, names], verb)
  }
})
