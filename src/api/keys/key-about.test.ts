// What people should know of a key: its owner, a note, when it was last used, whether its name is
// another's too.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import {
  auditPageSchema,
  changedKeySchema,
  createdKeySchema,
  keyPageSchema,
  keySchema,
} from '../contract.ts'
import type { CreatedKeyAnswer, KeyPage } from '../contract.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const HOUR_MS = 3_600_000

let api: OpenApi
let writer: string

before(async () => {
  api = await openApi(NOW)
  writer = await api.authorize('admin')
})

after(() => api.close())

async function ask(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
) {
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: writer },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

async function create(body: object): Promise<CreatedKeyAnswer> {
  return createdKeySchema.parse((await ask('/v1/keys', { method: 'POST', body })).body)
}

async function list(question: string): Promise<KeyPage> {
  return keyPageSchema.parse((await ask(`/v1/keys?${question}`)).body)
}

test('a key has an owner, a note and the moment it was last used', async () => {
  const made = await create({ name: 'owned', owner: ' ada@example.com ', note: 'nightly' })
  assert.deepEqual([made.owner, made.note], ['ada@example.com', 'nightly'])
  const used = createRecord({ keyId: made.id, startedAt: NOW - HOUR_MS, endedAt: NOW - HOUR_MS })
  await api.store.writeBatch(batchOf(used))
  const found = (await list('search=ADA@example')).rows
  assert.deepEqual(
    found.map((row) => [row.id, row.last_used_at]),
    [[made.id, '2026-03-19T11:00:00.000Z']],
  )
  const body = { owner: null, note: 'weekly' }
  const changed = await ask(`/v1/keys/${made.id}`, { method: 'PATCH', body })
  const { owner, note } = changedKeySchema.parse(changed.body)
  assert.deepEqual([owner, note], [null, 'weekly'])
  for (const bad of [{ owner: '' }, { owner: 'x'.repeat(101) }, { note: 'a\nb' }, { note: 5 }]) {
    const refused = await ask(`/v1/keys/${made.id}`, { method: 'PATCH', body: bad })
    assert.equal(refused.status, 400, JSON.stringify(bad))
  }
})

test('a key has a cost center, which its audit log and the file of its calls show', async () => {
  const made = await create({ name: 'booked', cost_center: ' CC-4711 ' })
  assert.equal(made.cost_center, 'CC-4711')
  const called = createRecord({ keyId: made.id, startedAt: NOW - HOUR_MS, endedAt: NOW - HOUR_MS })
  await api.store.writeBatch(batchOf(called))
  const file = await fetch(`${api.url}/v1/exports/requests.jsonl?api_key=${made.id}`, {
    headers: { authorization: await api.authorize('admin') },
  })
  assert.match(await file.text(), /"api_key_cost_center":"CC-4711"/)
  const body = { cost_center: null }
  const changed = await ask(`/v1/keys/${made.id}`, { method: 'PATCH', body })
  assert.equal(changedKeySchema.parse(changed.body).cost_center, null)
  const { rows } = auditPageSchema.parse((await ask(`/v1/audit?subject=${made.id}`)).body)
  assert.deepEqual(
    rows.map(({ changes }) => changes['cost_center']),
    [{ before: 'CC-4711', after: null }, { after: 'CC-4711' }],
  )
  for (const bad of ['', 'x'.repeat(65), 'a\nb', 5]) {
    const refused = await ask(`/v1/keys/${made.id}`, {
      method: 'PATCH',
      body: { cost_center: bad },
    })
    assert.equal(refused.status, 400, JSON.stringify(bad))
  }
})

test('a name that another key has is accepted, and said', async () => {
  const first = await create({ name: 'Twice given' })
  assert.deepEqual(first.same_name, [])
  const second = await create({ name: 'twice GIVEN' })
  assert.deepEqual(second.same_name, [first.id])
  await ask(`/v1/keys/${first.id}/revoke`, { method: 'POST' })
  const body = { name: 'Twice given' }
  const changed = await ask(`/v1/keys/${second.id}`, { method: 'PATCH', body })
  assert.deepEqual(changedKeySchema.parse(changed.body).same_name, [])
})

test('a rotation with a grace says until when the old secret works, until that is ended', async () => {
  const { id } = await create({ name: 'graceful' })
  const post = (verb: string, body?: object) =>
    ask(`/v1/keys/${id}/${verb}`, { method: 'POST', ...(body && { body }) })
  const rotated = createdKeySchema.parse((await post('rotate', { grace_seconds: 3600 })).body)
  assert.ok(rotated.old_secret_ends_at !== null)
  const ended = await post('end-grace')
  assert.equal(ended.status, 200)
  assert.equal(keySchema.parse(ended.body).old_secret_ends_at, null)
  for (const grace_seconds of [-1, 2_592_001, 1.5, '60']) {
    assert.equal((await post('rotate', { grace_seconds })).status, 400, String(grace_seconds))
  }
})
