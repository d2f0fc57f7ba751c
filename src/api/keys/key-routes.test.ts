import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi, openApiBeside } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { DIM_PAIRS_MAX, DIM_VALUE_CHARS_MAX } from '../../core/dims.ts'
import { createRequestId } from '../../core/ids.ts'
import { PATTERN_CHARS_MAX } from '../../core/key-rules.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import {
  createdKeySchema,
  keyCheckSchema,
  keyPageSchema,
  keyRowSchema,
  keySchema,
} from '../contract.ts'
import type { CreatedKeyAnswer, ErrorBody, KeyPage, UsageEnvelope } from '../contract.ts'
import { BODY_BYTES_MAX } from '../parse-body.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const HOUR_MS = 3_600_000
const USD = 10n ** 12n

let api: OpenApi
let reader: string
let writer: string
let admin: string

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:keys')
  writer = await api.authorize('write:keys', 'read:keys')
  admin = await api.authorize('admin')
})

after(() => api.close())

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly authorization?: string | null
  readonly url?: string
}

async function ask(path: string, asked: Asked = {}) {
  const { method = 'GET', body, authorization = writer, url = api.url } = asked
  const response = await fetch(url + path, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as unknown }
}

async function create(body: object): Promise<CreatedKeyAnswer> {
  const answer = await ask('/v1/keys', { method: 'POST', body })
  assert.equal(answer.status, 201, answer.text)
  return createdKeySchema.parse(answer.body)
}

async function list(search: string, url = api.url, authorization = reader): Promise<KeyPage> {
  const { status, text, body } = await ask(`/v1/keys?${search}`, { authorization, url })
  assert.equal(status, 200, text)
  return keyPageSchema.parse(body)
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_parameter',
  401: 'unauthorized',
  403: 'scope_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
}

function assertError(answer: { status: number; body: unknown }, status: number, text: RegExp) {
  const { error, code } = answer.body as ErrorBody
  assert.equal(answer.status, status, error)
  assert.match(error, text)
  assert.equal(code, CODES[status])
}

const FULL = {
  name: ' Search team ',
  allowed_models: ['openai/*', ' openai/* ', 'some:creator/model'],
  allowed_providers: ['openai', 'openai', 'acme'],
  use_credentials: ['openai', 'openai'],
  allow_derived_tokens: true,
  default_dims: { app: ' web ' },
  locked_dims: { team: 'Zürich' },
  required_dims: ['env', 'env'],
  rate_limit_rpm: 600,
  max_parallel: 8,
  expires_at: '2026-04-01T00:00:00Z',
}

test('a new key is answered with all that was decided about it, and its secret this once', async () => {
  const { id, key, same_name: _, warnings: _about, version, ...rest } = await create(FULL)
  assert.match(id, /^svc_k_[a-z0-9]{8,32}$/)
  assert.match(key, new RegExp(`^${id}\\.[A-Za-z0-9_-]{32,}$`))
  const unset = { team_id: null, person_id: null, owner: null, note: null, cost_center: null }
  const expected = {
    status: 'active',
    name: 'Search team',
    ...unset,
    created_at: '2026-03-19T12:00:00.000Z',
    expires_at: '2026-04-01T00:00:00.000Z',
    revoked_at: null,
    paused_at: null,
    old_secret_ends_at: null,
    allowed_models: ['openai/*', 'some:creator/model'],
    allowed_providers: ['openai', 'acme'],
    use_credentials: ['openai'],
    allow_derived_tokens: true,
    default_dims: { app: 'web' },
    locked_dims: { team: 'Zürich' },
    required_dims: ['env'],
    rate_limit_rpm: 600,
    max_parallel: 8,
  }
  assert.deepEqual(rest, expected)
  const one = await ask(`/v1/keys/${id}`, { authorization: reader })
  const { state: _state, ...row } = keyRowSchema.parse(one.body)
  assert.deepEqual(row, {
    id,
    ...expected,
    version,
    team: null,
    person: null,
    owner_id: null,
    owner_name: null,
    looked_after_by: [],
    warnings: [],
    last_used_at: null,
    spent_usd: 0,
  })
  const all = await ask('/v1/keys?limit=1000', { authorization: reader })
  const stored = (await api.settings.keys.list()).find((each) => each.id === id)
  for (const { text } of [one, all]) {
    assert.ok(!text.includes(key.slice(id.length + 1)), 'the secret is shown again')
    assert.ok(!text.includes(stored?.secretHash ?? '?'), 'the hash is shown')
  }
})

test('a key with a name alone may do everything', async () => {
  const made = await create({ name: 'x' })
  assert.deepEqual(
    [made.allowed_models, made.allowed_providers, made.default_dims, made.locked_dims],
    [[], [], {}, {}],
  )
  assert.deepEqual(
    [made.required_dims, made.rate_limit_rpm, made.max_parallel, made.expires_at],
    [[], null, null, null],
  )
})

test('a change leaves the rest as it is, and null takes a limit away', async () => {
  const { key: _, same_name: __, warnings: _about, ...made } = await create(FULL)
  const change = { max_parallel: null, allowed_models: [], name: 'other' }
  const answer = await ask(`/v1/keys/${made.id}`, { method: 'PATCH', body: change })
  const { version } = keySchema.parse(answer.body)
  assert.deepEqual(keySchema.parse(answer.body), { ...made, ...change, version })
})

test('the largest key that the rules allow is made, and changed', async () => {
  const dims = Object.fromEntries(
    Array.from({ length: DIM_PAIRS_MAX }, (_, index) => [
      `d${index}`.padEnd(64, 'x'),
      '語'.repeat(DIM_VALUE_CHARS_MAX),
    ]),
  )
  const policy = {
    allowed_models: Array.from({ length: KEY_FIELDS.allowed_models.countMax }, (_, index) =>
      `${index}`.padEnd(PATTERN_CHARS_MAX, 'm'),
    ),
    allowed_providers: Array.from({ length: KEY_FIELDS.allowed_providers.countMax }, (_, index) =>
      `p${index}`.padEnd(32, 'x'),
    ),
    default_dims: dims,
    locked_dims: dims,
    required_dims: Object.keys(dims),
  }
  const { id } = await create({ name: 'large', ...policy })
  const changed = await ask(`/v1/keys/${id}`, { method: 'PATCH', body: policy })
  assert.equal(changed.status, 200, changed.text)
})

test('rotation gives a new secret under the same id; what is revoked is not rotated', async () => {
  const made = await create({ name: 'rotated' })
  const rotated = createdKeySchema.parse(
    (await ask(`/v1/keys/${made.id}/rotate`, { method: 'POST' })).body,
  )
  assert.equal(rotated.id, made.id)
  assert.notEqual(rotated.key, made.key)
  const ended = await ask(`/v1/keys/${made.id}/revoke`, { method: 'POST' })
  assert.deepEqual(keySchema.parse(ended.body).status, 'revoked')
  assert.equal(keySchema.parse(ended.body).revoked_at, '2026-03-19T12:00:00.000Z')
  const again = await ask(`/v1/keys/${made.id}/rotate`, { method: 'POST' })
  assertError(again, 400, /revoked for good/)
  assert.deepEqual((await list('search=rotated&status=revoked')).rows.length, 1)
  assert.deepEqual((await list('search=rotated&status=active')).total, 0)
})

test('each change is in the audit log in the name of the token', async () => {
  const made = await create({ name: 'noted' })
  await ask(`/v1/keys/${made.id}`, { method: 'PATCH', body: { rate_limit_rpm: 5 } })
  await ask(`/v1/keys/${made.id}/rotate`, { method: 'POST' })
  await ask(`/v1/keys/${made.id}/revoke`, { method: 'POST' })
  const { entries } = await api.settings.audit.list(
    { noun: 'key', actorId: null, subjectId: made.id },
    { before: null, rowsMax: 10 },
  )
  assert.deepEqual(
    entries.map(({ action, actor }) => [action, actor.kind, actor.name]),
    ['key.revoke', 'key.rotate', 'key.update', 'key.create'].map((action) => [
      action,
      'token',
      'test',
    ]),
  )
  assert.ok(!JSON.stringify(entries).includes(made.key.slice(made.id.length + 1)))
})

describe('lists', () => {
  let beside: OpenApi
  let own: string
  const ids = new Map<string, string>()

  before(async () => {
    beside = await openApi(NOW)
    own = await beside.authorize('read:keys', 'read:usage')
    const expiries: Readonly<Record<string, number>> = { bravo: NOW + HOUR_MS }
    for (const name of ['delta', 'Alpha', 'charlie', 'bravo', 'Echo']) {
      beside.clock.nowMs += 1000
      const expiresAt = expiries[name] ?? null
      const { key } = await beside.settings.keys.create({ ...OPEN_KEY, name, expiresAt })
      ids.set(name, key.id)
    }
    const spend = { charlie: 3n, Echo: 5n, bravo: 0n }
    const records = Object.entries(spend).map(([name, usd], index) =>
      createRecord(
        {
          id: createRequestId(NOW - index),
          startedAt: NOW - 1000,
          endedAt: NOW - index,
          keyId: ids.get(name) ?? '',
        },
        { amount: usd * USD },
      ),
    )
    await beside.store.writeBatch(batchOf(...records))
  })

  after(() => beside.close())

  const listOwn = (search: string): Promise<KeyPage> => list(search, beside.url, own)
  const namesOf = async (search: string): Promise<readonly string[]> =>
    (await listOwn(search)).rows.map(({ name }) => name)

  test('come in the order that is asked for', async () => {
    assert.deepEqual(await namesOf(''), ['Echo', 'charlie', 'Alpha', 'bravo', 'delta'])
    assert.deepEqual(await namesOf('order=spent'), await namesOf(''))
    assert.deepEqual(await namesOf('order=name'), ['Alpha', 'bravo', 'charlie', 'delta', 'Echo'])
    assert.deepEqual(await namesOf('order=created'), ['Echo', 'bravo', 'charlie', 'Alpha', 'delta'])
  })

  test('are searched by a part of name or id, whatever the case', async () => {
    assert.deepEqual(await namesOf('order=name&search=AL'), ['Alpha'])
    assert.deepEqual(await namesOf('order=name&search=L'), ['Alpha', 'charlie', 'delta'])
    const id = ids.get('delta') ?? ''
    assert.deepEqual(await namesOf(`search=${id.slice(6).toUpperCase()}`), ['delta'])
    assert.deepEqual(await namesOf('search=nobody'), [])
  })

  test('have pages that follow each other until the last', async () => {
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const given: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page: KeyPage = await listOwn(`order=name&limit=2${given}`)
      assert.equal(page.total, 5)
      pages.push(page.rows.map(({ name }) => name))
      cursor = page.next_cursor
    }
    assert.deepEqual(pages, [['Alpha', 'bravo'], ['charlie', 'delta'], ['Echo']])
    assert.deepEqual((await listOwn('limit=2&cursor=900')).rows, [])
  })

  test('show what was spent as the usage query does, and when', async () => {
    const asked = 'metric=cost_usd&dimension=api_key&window=month_to_date&limit=1000'
    const response = await beside.get(`/v1/usage?${asked}`, own)
    const usage = (await response.json()) as UsageEnvelope
    const page = await listOwn('')
    assert.equal(page.spent_as_of, usage.asOf)
    for (const row of page.rows) {
      const reported = usage.rows.find(({ label }) => label === row.id)?.value ?? 0
      assert.equal(row.spent_usd, reported, row.name)
    }
    assert.equal(page.rows[0]?.spent_usd, 5)
  })

  test('show a key as expired from its moment on', async () => {
    assert.deepEqual(await namesOf('status=expired'), [])
    beside.clock.nowMs += HOUR_MS
    assert.deepEqual(await namesOf('status=expired'), ['bravo'])
    assert.equal((await listOwn('status=active')).total, 4)
  })

  test('contain at once what another process has changed', async (context) => {
    const other = await openApiBeside(beside)
    context.after(() => other.close())
    await namesOf('')
    const id = ids.get('delta') ?? ''
    await other.settings.keys.update(id, { name: 'zulu' })
    assert.deepEqual((await namesOf('order=name')).at(-1), 'zulu')
    await other.settings.keys.revoke(id)
    assert.deepEqual(await namesOf('status=revoked'), ['zulu'])
  })
})

describe('may this key use this model?', () => {
  const check = (body: object) =>
    ask('/v1/keys/check', { method: 'POST', authorization: reader, body })

  test('a policy as it is being written is judged without a key', async () => {
    const asked = { provider: 'openai', model: 'gpt-4o' }
    const open = keyCheckSchema.parse((await check(asked)).body)
    assert.deepEqual([open.allowed, open.slug, open.pattern], [true, 'openai/gpt-4o', null])
    const denied = await check({ ...asked, allowed_models: ['anthropic/*'] })
    assert.deepEqual(keyCheckSchema.parse(denied.body).allowed, false)
    const elsewhere = await check({ ...asked, allowed_providers: ['anthropic'] })
    assert.match(keyCheckSchema.parse(elsewhere.body).reason, /may not use the provider openai/)
  })

  test('a key is judged as it is, or with what is to be changed', async () => {
    const made = await create({ name: 'judged', allowed_models: ['anthropic/*'] })
    const asked = { provider: 'openai', model: 'gpt-4o', key_id: made.id }
    assert.equal(keyCheckSchema.parse((await check(asked)).body).allowed, false)
    const changed = await check({ ...asked, allowed_models: ['openai/gpt-*'] })
    assert.equal(keyCheckSchema.parse(changed.body).pattern, 'openai/gpt-*')
    await ask(`/v1/keys/${made.id}/revoke`, { method: 'POST' })
    assert.match(keyCheckSchema.parse((await check(asked)).body).reason, /revoked/)
  })

  test('what is not there is refused, with the nearest', async () => {
    const asked = { provider: 'opnai', model: 'gpt-4o' }
    assertError(await check(asked), 400, /Did you mean openai\?/)
    const none = { ...asked, provider: 'openai', key_id: 'svc_k_none' }
    assertError(await check(none), 400, /key_id names a key that is not there/)
    const whole = { ...none, key_id: 'svc_k_none.secret' }
    const answer = await check(whole)
    assertError(answer, 400, /without its secret/)
    assert.ok(!answer.text.includes('none.secret'))
    assertError(await check({ provider: 'openai', model: 'a b' }), 400, /without blanks/)
  })
})

const BAD_BODIES: readonly (readonly [string, unknown, readonly RegExp[]])[] = [
  ['no JSON', 'x', [/must be one JSON object/]],
  ['a list', [], [/must be one JSON object/]],
  ['nothing', {}, [/missing: name must have 1 to 100 characters/]],
  ['an unknown member', { name: 'a', more: 1 }, [/unknown member more/]],
  [
    'all wrong at once',
    {
      name: '',
      allowed_models: 'x',
      allowed_providers: ['UPPER'],
      default_dims: { a: '' },
      locked_dims: { '1': 'x' },
      required_dims: ['-'],
      rate_limit_rpm: 0,
      max_parallel: 1.5,
      expires_at: '2027-01-31',
    },
    [
      /name must/,
      /allowed_models must/,
      /allowed_providers must/,
      /default_dims must/,
      /locked_dims must/,
      /required_dims must/,
      /rate_limit_rpm must/,
      /max_parallel must/,
      /expires_at must/,
    ],
  ],
  ['wrong kinds within', { name: 'a', allowed_models: [1] }, [/allowed_models must/]],
  ['a number for a value', { name: 'a', locked_dims: { a: 1 } }, [/locked_dims must/]],
  ['a number for a dimension', { name: 'a', required_dims: [1] }, [/required_dims must/]],
  ['a control character', { name: 'a\u0007' }, [/name must/]],
  ['too many patterns', { name: 'a', allowed_models: Array(101).fill('a/*') }, [/at most 100/]],
  ['a limit too high', { name: 'a', rate_limit_rpm: 1_000_001 }, [/to 1000000/]],
  ['what has expired', { name: 'a', expires_at: '2026-03-19T12:00:00Z' }, [/still to come/]],
]

for (const [what, body, texts] of BAD_BODIES) {
  test(`${what} makes no key, and all that is wrong is named`, async () => {
    const count = (await api.settings.keys.list()).length
    const answer = await ask('/v1/keys', { method: 'POST', body })
    for (const text of texts) assertError(answer, 400, text)
    assert.equal((await api.settings.keys.list()).length, count)
  })
}

test('a change that changes nothing, or names no key, is refused', async () => {
  const { id } = await create({ name: 'unchanged' })
  assertError(await ask(`/v1/keys/${id}`, { method: 'PATCH', body: {} }), 400, /changes nothing/)
  const past = { expires_at: '2020-01-01T00:00:00Z' }
  assertError(await ask(`/v1/keys/${id}`, { method: 'PATCH', body: past }), 400, /still to come/)
  const large = ' '.repeat(BODY_BYTES_MAX + 1)
  assertError(await ask(`/v1/keys/${id}`, { method: 'PATCH', body: large }), 413, /bytes/)
  const nobody = '/v1/keys/svc_k_nobody'
  const change = { method: 'PATCH', body: { name: 'a' } }
  assertError(await ask(nobody, change), 404, /no such key/)
  assertError(await ask(nobody), 404, /no such key/)
  for (const verb of ['rotate', 'revoke']) {
    assertError(await ask(`${nobody}/${verb}`, { method: 'POST' }), 404, /no such key/)
  }
})

const REFUSALS: readonly (readonly [string, string, string])[] = [
  ['GET', '/v1/keys', 'read:keys'],
  ['POST', '/v1/keys', 'write:keys'],
  ['POST', '/v1/keys/check', 'read:keys'],
  ['GET', '/v1/keys/svc_k_a', 'read:keys'],
  ['PATCH', '/v1/keys/svc_k_a', 'write:keys'],
  ['POST', '/v1/keys/svc_k_a/rotate', 'write:keys'],
  ['POST', '/v1/keys/svc_k_a/end-grace', 'write:keys'],
  ['POST', '/v1/keys/svc_k_a/revoke', 'write:keys'],
  ['GET', '/v1/tokens', 'admin'],
  ['POST', '/v1/tokens', 'admin'],
  ['POST', '/v1/tokens/svc_agt_a/revoke', 'admin'],
]

for (const [method, path, scope] of REFUSALS) {
  test(`${method} ${path} needs a token with scope ${scope}, and takes no parameter it does not know`, async () => {
    assertError(await ask(path, { method, authorization: null }), 401, /token/)
    const others = (['read:usage', 'read:keys', 'read:requests', 'write:keys'] as const).filter(
      (each) => each !== scope,
    )
    const authorization = await api.authorize(...others)
    assertError(await ask(path, { method, authorization }), 403, new RegExp(scope))
    const odd = await ask(`${path}?odd=1`, { method, authorization: admin })
    assertError(odd, 400, /Unknown parameter odd/)
    assertError(await ask(path, { method: 'DELETE', authorization: admin }), 405, /takes/)
  })
}

test('a parameter that is wrong is named', async () => {
  for (const search of ['limit=1001', 'cursor=0', 'id=svc_k_x.y', 'order=age', 'status=gone']) {
    const name = search.split('=')[0] ?? ''
    assertError(await ask(`/v1/keys?${search}`), 400, new RegExp(`Parameter ${name} `))
  }
})
