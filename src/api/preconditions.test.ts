import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openApi, openApiBeside } from '../../test/fakes/open-api.ts'
import type { OpenApi } from '../../test/fakes/open-api.ts'
import { CHANGES_SHOWN_MAX } from '../store/settings/changed-meanwhile.ts'
import { changedMeanwhileSchema } from './contract.ts'
import type { ErrorBody } from './contract.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const BUDGET = { name: 'team', limit_usd: 10, period: 'month', scope: 'global' }
const USER = { email: 'bo@example.com', name: 'Bo', role: 'viewer' }

let api: OpenApi
let beside: OpenApi
let ada: string
let bo: string

before(async () => {
  api = await openApi(NOW)
  beside = await openApiBeside(api)
  ada = await api.authorize('admin')
  bo = await api.authorize('admin')
})
after(async () => {
  await beside.close()
  await api.close()
})

interface Asked {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: string
  readonly url?: string
}

/** `PATCH /v1/keys/…` */
async function ask(place: string, asked: Asked = {}) {
  const { body, headers = {}, authorization = ada, url = api.url } = asked
  const [method = '', path = ''] = place.split(' ')
  const response = await fetch(url + path, {
    method,
    headers: { authorization, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { readonly id: string; readonly version: number }
  return { status: response.status, etag: response.headers.get('etag'), answer }
}

const ifMatch = (tag: string) => ({ 'if-match': tag })

interface Subject {
  readonly called: string
  readonly path: string
  readonly make: () => Promise<string>
  readonly change: object
  /** As the audit log names it. */
  readonly field: string
}

const SUBJECTS: readonly Subject[] = [
  {
    called: 'a key',
    path: '/v1/keys',
    make: async () => (await ask('POST /v1/keys', { body: { name: 'k' } })).answer.id,
    change: { rate_limit_rpm: 60 },
    field: 'rate_limit_rpm',
  },
  {
    called: 'a budget',
    path: '/v1/budgets',
    make: async () => (await ask('POST /v1/budgets', { body: BUDGET })).answer.id,
    change: { limit_usd: 20 },
    field: 'limit_usd',
  },
  {
    called: 'a user',
    path: '/v1/users',
    make: async () => {
      const { users } = api.settings
      const email = `u${(await users.list()).length}@example.com`
      const made = await users.create({ ...USER, email, role: 'viewer', ...NO_SECRETS })
      return made.id
    },
    change: { role: 'admin' },
    field: 'role',
  },
]
const NO_SECRETS = { passwordHash: null, subject: null }

async function readVersion(path: string, id: string): Promise<number> {
  const { answer } = await ask(`GET ${path}`)
  const { rows } = answer as unknown as { rows: { id: string; version: number }[] }
  return rows.find((row) => row.id === id)?.version ?? assert.fail(`no ${id} is listed`)
}

for (const { called, path, make, change, field } of SUBJECTS) {
  describe(called, () => {
    test('has a version that rises with every change and with nothing else', async () => {
      const id = await make()
      const first = await readVersion(path, id)
      const changed = await ask(`PATCH ${path}/${id}`, { body: change })
      assert.ok(changed.answer.version > first)
      assert.equal(changed.etag, `"${changed.answer.version}"`)
      const same = await ask(`PATCH ${path}/${id}`, { body: change })
      assert.equal(same.answer.version, changed.answer.version, 'nothing was changed')
      assert.equal(await readVersion(path, id), changed.answer.version)
    })

    test('is changed by whoever saw its last version, and not by who did not', async () => {
      const id = await make()
      const seen = `"${await readVersion(path, id)}"`
      const first = await ask(`PATCH ${path}/${id}`, { body: change, headers: ifMatch(seen) })
      assert.equal(first.status, 200, JSON.stringify(first.answer))
      const late = { headers: ifMatch(seen), authorization: bo }
      const second = await ask(`PATCH ${path}/${id}`, { body: { name: 'late' }, ...late })
      assert.equal(second.status, 412)
      const refusal = changedMeanwhileSchema.parse(second.answer)
      assert.deepEqual(
        [refusal.code, refusal.version, refusal.error.split('. ')[0]],
        ['changed_meanwhile', first.answer.version, 'It was changed meanwhile by test'],
      )
      assert.deepEqual(refusal.changes, [
        {
          number: first.answer.version,
          at: '2026-03-19T12:00:00.000Z',
          actor: { kind: 'token', name: 'test' },
          action: `${called.split(' ')[1]}.update`,
          fields: [field],
        },
      ])
      assert.equal(await readVersion(path, id), first.answer.version, 'nothing was changed')
      const again = { body: { name: 'late' }, headers: ifMatch(`"${refusal.version}"`) }
      assert.equal((await ask(`PATCH ${path}/${id}`, again)).status, 200)
    })

    test('is changed by one of two at once, each in a process of its own', async () => {
      const id = await make()
      const headers = ifMatch(`"${await readVersion(path, id)}"`)
      const both = await Promise.all([
        ask(`PATCH ${path}/${id}`, { headers, body: { name: 'one' } }),
        ask(`PATCH ${path}/${id}`, { headers, body: { name: 'two' }, url: beside.url }),
      ])
      assert.deepEqual(both.map(({ status }) => `${status}`).sort(), ['200', '412'])
    })

    test('is changed as before where no version is named', async () => {
      const id = await make()
      for (const name of ['one', 'two']) {
        const { status } = await ask(`PATCH ${path}/${id}`, { body: { name } })
        assert.equal(status, 200)
      }
    })
  })
}

for (const { called, path, make, change } of SUBJECTS.slice(1)) {
  test(`${called} that was changed meanwhile is not deleted`, async () => {
    const id = await make()
    const headers = ifMatch(`"${await readVersion(path, id)}"`)
    await ask(`PATCH ${path}/${id}`, { body: change })
    assert.equal((await ask(`DELETE ${path}/${id}`, { headers })).status, 412)
    const now = ifMatch(`"${await readVersion(path, id)}"`)
    const gone = await ask(`DELETE ${path}/${id}`, { headers: now })
    assert.deepEqual([gone.status, gone.etag], [200, null])
  })
}

test('what is done to a key can be on condition as well', async () => {
  const { answer: made } = await ask('POST /v1/keys', { body: { name: 'k' } })
  const headers = ifMatch(`"${made.version}"`)
  const rotated = await ask(`POST /v1/keys/${made.id}/rotate`, { headers })
  assert.equal(rotated.status, 200)
  for (const action of ['rotate', 'end-grace', 'revoke']) {
    const late = await ask(`POST /v1/keys/${made.id}/${action}`, { headers })
    assert.equal(late.status, 412, action)
    const [change] = changedMeanwhileSchema.parse(late.answer).changes
    assert.equal(change?.action, 'key.rotate')
  }
  const one = await ask(`GET /v1/keys/${made.id}`)
  assert.deepEqual([one.etag, one.answer.version], [rotated.etag, rotated.answer.version])
})

test('signing in and links are no change of a user', async () => {
  const { users, sessions } = api.settings
  const made = await users.create({ ...USER, role: 'viewer', ...NO_SECRETS })
  await users.createLink(made.id, 1000)
  await sessions.create({ userId: made.id, expiresAt: NOW + 1000, agent: null, address: null })
  assert.equal(await readVersion('/v1/users', made.id), made.version)
})

const TAGS: readonly (readonly [string, (version: number) => string, number])[] = [
  ['any', () => '*', 200],
  ['one of several', (version) => `"0", "${version}"`, 200],
  ['a weak one', (version) => `W/"${version}"`, 412],
  ['one of another form', () => '"abc"', 412],
  ['one that is still to come', (version) => `"${version + 1000}"`, 412],
  ['without quotes', (version) => `${version}`, 400],
  ['nothing', () => '', 400],
]

for (const [called, write, status] of TAGS) {
  test(`If-Match with ${called} is answered with ${status}`, async () => {
    const { answer: made } = await ask('POST /v1/keys', { body: { name: 'k' } })
    const headers = ifMatch(write(made.version))
    const answer = await ask(`PATCH /v1/keys/${made.id}`, { headers, body: { note: called } })
    assert.equal(answer.status, status, JSON.stringify(answer.answer))
  })
}

test('a refusal names the newest changes only', async () => {
  const { answer: made } = await ask('POST /v1/keys', { body: { name: 'k' } })
  for (let count = 0; count <= CHANGES_SHOWN_MAX; count += 1) {
    await ask(`PATCH /v1/keys/${made.id}`, { body: { rate_limit_rpm: 1 + count } })
  }
  const headers = ifMatch(`"${made.version}"`)
  const late = await ask(`PATCH /v1/keys/${made.id}`, { headers, body: { note: 'x' } })
  const { changes, version } = changedMeanwhileSchema.parse(late.answer)
  assert.equal(changes.length, CHANGES_SHOWN_MAX)
  assert.equal(changes[0]?.number, version)
})

test('what is not there is 404, whatever version is named', async () => {
  const asked = { headers: ifMatch('"1"'), body: { name: 'x' } }
  const { status, answer } = await ask('PATCH /v1/keys/svc_k_none', asked)
  assert.deepEqual([status, (answer as unknown as ErrorBody).code], [404, 'not_found'])
})

describe('a price that would take the place of another', () => {
  const DAY = '2026-04-01T00:00:00Z'
  const set = (multiplier: string, headers: Readonly<Record<string, string>> = {}) =>
    ask('POST /v1/prices/rules', {
      headers,
      body: { provider: 'openai', model: 'gpt-4o', effective_from: DAY, multiplier },
    })
  const readFactors = async () => {
    const { answer } = await ask('GET /v1/prices/rules')
    return (answer as unknown as { rows: { multiplier: string }[] }).rows.map(
      (row) => row.multiplier,
    )
  }

  test('is refused where nothing should be replaced, and set over the one that was seen', async () => {
    const isNew = { 'if-none-match': '*' }
    const first = await set('0.8', isNew)
    assert.equal(first.status, 201, JSON.stringify(first.answer))
    const late = await set('0.9', isNew)
    assert.equal(late.status, 412)
    const { version, changes } = changedMeanwhileSchema.parse(late.answer)
    assert.deepEqual(
      changes.map(({ action, number }) => [action, number]),
      [['price.set', version]],
    )
    assert.deepEqual(await readFactors(), ['0.8'])
    assert.equal((await set('0.9', ifMatch(`"${version}"`))).status, 201)
    assert.deepEqual(await readFactors(), ['0.9'])
    // It was replaced, and the next one is at a version of its own.
    assert.equal((await set('0.7', ifMatch(`"${version}"`))).status, 412)
    assert.equal((await set('0.7')).status, 201)
    assert.deepEqual(await readFactors(), ['0.7'])
  })

  test('is refused where the one that was seen is gone', async () => {
    const { answer } = await set('0.5')
    await ask(`DELETE /v1/prices/rules/${answer.id}`)
    const late = await set('0.6', ifMatch('"1"'))
    assert.deepEqual([late.status, late.answer.version], [412, 0])
  })

  test('If-None-Match is * or refused', async () => {
    assert.equal((await set('0.5', { 'if-none-match': '"1"' })).status, 400)
  })
})
