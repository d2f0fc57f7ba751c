// The right of a key to use stored credentials, over the API.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import { PROVIDERS } from '../../providers/registry.ts'
import type { CreatedKeyAnswer, ErrorBody, KeyAnswer } from '../contract.ts'

const USE_CREDENTIALS_MAX = KEY_FIELDS.use_credentials.countMax

let api: OpenApi
let writer: string

before(async () => {
  api = await openApi(Date.parse('2026-03-19T12:00:00.000Z'))
  writer = await api.authorize('write:keys', 'read:keys')
})

after(() => api.close())

async function send(method: string, path: string, body: object) {
  const headers = { authorization: writer }
  const response = await fetch(api.url + path, { method, headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

async function create(body: object): Promise<CreatedKeyAnswer> {
  const { status, text } = await send('POST', '/v1/keys', body)
  assert.equal(status, 201, text)
  return JSON.parse(text) as CreatedKeyAnswer
}

async function change(id: string, body: object): Promise<KeyAnswer> {
  const { status, text } = await send('PATCH', `/v1/keys/${id}`, body)
  assert.equal(status, 200, text)
  return JSON.parse(text) as KeyAnswer
}

async function refuse(method: string, path: string, body: object): Promise<string> {
  const { status, text } = await send(method, path, body)
  const { error, code } = JSON.parse(text) as ErrorBody
  assert.deepEqual([status, code], [400, 'invalid_parameter'], text)
  return error
}

test('a key uses no stored credential unless it is given the right', async () => {
  const plain = await create({ name: 'plain' })
  assert.deepEqual(plain.use_credentials, [])
  const given = await create({ name: 'given', use_credentials: ['openai', 'anthropic', 'openai'] })
  assert.deepEqual(given.use_credentials, ['openai', 'anthropic'])
  const kept = await change(given.id, { name: 'kept' })
  assert.deepEqual(kept.use_credentials, ['openai', 'anthropic'])
  const taken = await change(given.id, { use_credentials: [] })
  assert.deepEqual(taken.use_credentials, [])
  assert.ok(taken.version > kept.version)
})

test('the audit log says which stored credentials a key could use before and after', async () => {
  const { id } = await create({ name: 'noted', use_credentials: ['openai'] })
  await change(id, { use_credentials: ['anthropic'] })
  const { entries } = await api.settings.audit.list(
    { noun: 'key', actorId: null, subjectId: id },
    { before: null, rowsMax: 10 },
  )
  assert.deepEqual(
    entries.map(({ changes }) => changes['use_credentials']),
    [{ before: ['openai'], after: ['anthropic'] }, { after: ['openai'] }],
  )
})

test('a provider that is not there is refused, with the nearest', async () => {
  const count = (await api.settings.keys.list()).length
  const body = { name: 'a', use_credentials: ['openai', 'antropic'] }
  const error = await refuse('POST', '/v1/keys', body)
  assert.equal(error, 'There is no provider "antropic". Did you mean anthropic?')
  assert.equal((await api.settings.keys.list()).length, count)
  const { id } = await create({ name: 'b' })
  const path = `/v1/keys/${id}`
  assert.match(await refuse('PATCH', path, { use_credentials: ['x'] }), /There are: .*openai/)
  for (const wrong of ['openai', [1], ['OPENAI'], Array(USE_CREDENTIALS_MAX + 1).fill('openai')]) {
    const text = await refuse('PATCH', path, { use_credentials: wrong })
    assert.match(text, /use_credentials must be at most 100 ids of providers/)
  }
})

test('a provider that the key may not call is refused, whichever list is changed', async () => {
  const lists = { allowed_providers: ['openai'], use_credentials: ['anthropic'] }
  const text =
    'The key may not call anthropic, so it cannot use the credential stored for it. ' +
    'Allow the key anthropic as well, or do not let it use that credential.'
  assert.equal(await refuse('POST', '/v1/keys', { name: 'a', ...lists }), text)
  const { id } = await create({ name: 'b', use_credentials: ['anthropic'] })
  const path = `/v1/keys/${id}`
  assert.equal(await refuse('PATCH', path, { allowed_providers: ['openai'] }), text)
  const moved = { allowed_providers: ['openai'], use_credentials: ['openai'] }
  assert.deepEqual((await change(id, moved)).use_credentials, ['openai'])
  assert.equal(await refuse('PATCH', path, { use_credentials: ['anthropic'] }), text)
})

test('a key may use the credentials of all providers', async () => {
  const ids = PROVIDERS.map(({ id }) => id)
  assert.ok(ids.length <= USE_CREDENTIALS_MAX)
  assert.deepEqual((await create({ name: 'all', use_credentials: ids })).use_credentials, ids)
})
