// Which models a key may use, and what is said about patterns that allow less than they seem to.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { ChangedKeyAnswer, CreatedKeyAnswer, KeyModelsAnswer } from '../contract.ts'

const NOW = Date.parse('2026-11-18T12:00:00.000Z')
const PROVIDERS = ['openai', 'anthropic', 'azure', 'ollama', 'groq', 'acme']

let api: OpenApi
let authorization: string
/** The next question about usage fails. */
let isFailing = false

before(async () => {
  api = await openApi(NOW, ({ usage }) => ({
    info: { version: '1.2.3', proxyUrl: 'http://127.0.0.1:7070', providers: PROVIDERS },
    usage: {
      ...usage,
      analyze: (questions) =>
        isFailing ? Promise.reject(new Error('it is down')) : usage.analyze(questions),
    },
  }))
  authorization = await api.authorize('read:keys', 'write:keys')
  const used = (provider: string, model: string, changes = {}) => {
    const times = { startedAt: NOW - 60_000, endedAt: NOW - 59_000 }
    return createRecord({ ...times, provider, model, requestedModel: model, ...changes })
  }
  await api.store.writeBatch(
    batchOf(
      used('openai', 'gpt-4o-2024-08-06'),
      used('openai', 'gpt-4o-2024-08-06'),
      used('openai', 'gpt-5.4-mini'),
      used('openai', 'gpt-typo', { status: 'refused', httpStatus: 404 }),
      used('azure', 'gpt-4o-2024-11-20'),
      used('acme', 'house-7b'),
      used('acme', 'long-ago', {
        startedAt: NOW - 40 * 86_400_000,
        endedAt: NOW - 40 * 86_400_000,
      }),
    ),
  )
})

after(() => api.close())

async function send<Answer>(route: string, body: object): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const headers = { authorization }
  const response = await fetch(api.url + path, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  assert.ok(response.ok, text)
  return JSON.parse(text) as Answer
}

const ask = (body: object) => send<KeyModelsAnswer>('POST /v1/keys/models', body)

test('what was used comes first, then what has a price, found by a part of the name', async () => {
  const { rows, providers, warnings } = await ask({ search: 'GPT-' })
  assert.deepEqual(
    rows.slice(0, 2).map(({ slug, calls }) => [slug, calls]),
    [
      ['openai/gpt-4o-2024-08-06', 2],
      ['openai/gpt-5.4-mini', 1],
    ],
  )
  const slugs = rows.map(({ slug }) => slug)
  assert.ok(slugs.includes('openai/gpt-4o') && !slugs.includes('openai/gpt-typo'), slugs.join(' '))
  // What answered behind a deployment is not what a call asks for.
  assert.deepEqual([providers[0], providers.includes('azure'), warnings], ['openai', false, []])
  assert.deepEqual(
    (await ask({ provider: 'acme' })).rows.map(({ model }) => model),
    ['house-7b'],
  )
})

test('a key is offered what it may use, beginning with what its patterns name', async () => {
  const { rows, total } = await ask({
    allowed_models: ['acme/new-70b', 'claude-sonnet-4-5', 'openai:gpt-5.4*'],
    limit: 3,
  })
  assert.deepEqual(
    rows.map(({ slug }) => slug),
    ['acme/new-70b', 'openai/gpt-5.4-mini', 'anthropic/claude-sonnet-4-5'],
  )
  assert.ok(total > 3)
  const limited = await ask({ allowed_models: ['gpt-5.4-mini'], allowed_providers: ['groq'] })
  assert.deepEqual(limited.rows, [])
})

test('a model that takes or gives something else than text says so', async () => {
  const { rows } = await ask({ allowed_models: ['text-embedding-3-small', 'gpt-4o'] })
  assert.deepEqual(
    rows.map(({ model, is_text }) => [model, is_text]),
    [
      ['gpt-4o', true],
      ['text-embedding-3-small', false],
    ],
  )
})

const NONE = 'matches no model that was used lately or has a price'
const CASES: readonly (readonly [string, object, readonly string[]])[] = [
  ['a name that was used', { allowed_models: ['gpt-5.4-mini'] }, []],
  ['a name with a price', { allowed_models: ['anthropic/claude-sonnet-4-5'] }, []],
  [
    'a dated name that the price list spells out',
    { allowed_models: ['openai/gpt-4o-2024-11-20', 'gpt-4o', 'gpt-4o-2024-08-06'] },
    [],
  ],
  ['the beginning of dated names', { allowed_models: ['openai/gpt-4o-2024-*'] }, []],
  ['everything', { allowed_models: ['*', 'openai/*', 'openai:*'] }, []],
  [
    'a model of a provider without a list',
    { allowed_models: ['acme/new-70b', 'ollama/llama3:8b'] },
    [],
  ],
  ['a deployment', { allowed_models: ['azure/my-deployment'] }, []],
  [
    'a mistyped name',
    { allowed_models: ['gpt-5.4-mnii'] },
    [`gpt-5.4-mnii ${NONE}, at the providers that the key may use. Did you mean gpt-5.4-mini?`],
  ],
  [
    'a mistyped slug',
    { allowed_models: ['openia/gpt-5.4-mini'] },
    [
      `openia/gpt-5.4-mini ${NONE}, at the providers that the key may use. Did you mean openai/gpt-5.4-mini?`,
    ],
  ],
  [
    'nothing like it',
    { allowed_models: ['zzzzzzzz*'] },
    [`zzzzzzzz* ${NONE}, at the providers that the key may use. Check how it is written.`],
  ],
  [
    'a model of a provider that it may not use',
    { allowed_models: ['openai/gpt-4o*'], allowed_providers: ['anthropic'] },
    [`openai/gpt-4o* ${NONE}, at the providers that the key may use. Check how it is written.`],
  ],
  [
    'a name whose dated version is used',
    { allowed_models: ['gpt-4o'] },
    [
      'gpt-4o does not allow gpt-4o-2024-08-06, which is another name of the same model: a call that asks for it is refused. Add it if callers use it.',
    ],
  ],
  [
    'a dated name whose alias is known',
    { allowed_models: ['openai/gpt-4o-2024-08-06'] },
    [
      'openai/gpt-4o-2024-08-06 does not allow gpt-4o, which is another name of the same model: a call that asks for it is refused. Add it if callers use it.',
    ],
  ],
]

describe('the warnings about', () => {
  for (const [name, body, expected] of CASES) {
    test(name, async () => {
      assert.deepEqual((await ask(body)).warnings, expected)
    })
  }
})

test('a key is made and changed whatever its patterns match, with a warning', async () => {
  const allowed_models = ['gpt-5.4-mnii']
  const made = await send<CreatedKeyAnswer>('POST /v1/keys', { name: 'new', allowed_models })
  assert.deepEqual(made.allowed_models, allowed_models)
  assert.match(made.warnings.join(), /Did you mean gpt-5\.4-mini\?$/)
  const change = (body: object) => send<ChangedKeyAnswer>(`PATCH /v1/keys/${made.id}`, body)
  assert.deepEqual((await change({ rate_limit_rpm: 5 })).warnings, [])
  assert.equal((await change({ allowed_models: ['gpt-5.4-mnii', 'gpt-4o'] })).warnings.length, 2)
  assert.deepEqual((await change({ allowed_models: ['gpt-5.4-mini'] })).warnings, [])
  assert.deepEqual(
    (await ask({ key_id: made.id })).rows.map(({ slug }) => slug),
    ['openai/gpt-5.4-mini'],
  )
})

test('the secret of a new key arrives although nothing is known of usage', async (t) => {
  isFailing = true
  t.after(() => (isFailing = false))
  const made = await send<CreatedKeyAnswer>('POST /v1/keys', {
    name: 'new',
    allowed_models: ['gpt-5.4-mnii'],
  })
  assert.match(made.key, /^svc_k_/)
  assert.deepEqual(made.warnings, [])
})

test('at most ten patterns are warned of', async () => {
  const allowed_models = Array.from({ length: 100 }, (_, at) => `gpt-nothing-${at}`)
  assert.equal((await ask({ allowed_models })).warnings.length, 10)
})
