import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'

interface KeyJson {
  readonly id: string
  readonly key: string
  readonly [field: string]: unknown
}

test('a new key is printed with all that was decided about it', async (context) => {
  const { json } = createCommandLine(context)
  const { id, key, warnings, ...rest } = await json<KeyJson>(
    ...[
      ['keys', 'create', '--name', ' Search team '],
      ['--allow-model', 'acme/*', '--allow-model', 'somewhere:acme/big-*'],
      ['--allow-provider', 'acme', '--allow-provider', 'openai', '--use-credential', 'openai'],
      ['--dim', 'team=search=ads', '--dim', 'app = web', '--lock-dim', 'env=Zürich'],
      ['--require-dim', 'team', '--require-dim', 'app', '--rpm', '600', '--expires', '30d'],
      ['--max-parallel', '8', '--allow-derived-tokens'],
    ].flat(),
  )
  assert.match(id, /^svc_k_[a-z0-9]{8,32}$/)
  assert.match(key, new RegExp(`^${id}\\.[A-Za-z0-9_-]{32,}$`))
  assert.deepEqual(rest, {
    status: 'active',
    name: 'Search team',
    team_id: null,
    person_id: null,
    owner: null,
    note: null,
    cost_center: null,
    same_name: [],
    created_at: '2026-01-31T12:00:00.000Z',
    expires_at: '2026-03-02T12:00:00.000Z',
    revoked_at: null,
    paused_at: null,
    old_secret_ends_at: null,
    allowed_models: ['acme/*', 'somewhere:acme/big-*'],
    allowed_providers: ['acme', 'openai'],
    use_credentials: ['openai'],
    allow_derived_tokens: true,
    default_dims: { team: 'search=ads', app: 'web' },
    locked_dims: { env: 'Zürich' },
    required_dims: ['team', 'app'],
    rate_limit_rpm: 600,
    max_parallel: 8,
    version: 1,
  })
  assert.equal((warnings as string[]).length, 2)
})

test('a key with a name alone may do everything but use stored credentials', async (context) => {
  const { json } = createCommandLine(context)
  const { id: _id, key: _key, ...rest } = await json<KeyJson>('keys', 'create', '--name', 'x')
  assert.deepEqual(rest, {
    status: 'active',
    name: 'x',
    team_id: null,
    person_id: null,
    owner: null,
    note: null,
    cost_center: null,
    same_name: [],
    warnings: [],
    created_at: '2026-01-31T12:00:00.000Z',
    expires_at: null,
    revoked_at: null,
    paused_at: null,
    old_secret_ends_at: null,
    allowed_models: [],
    allowed_providers: [],
    use_credentials: [],
    allow_derived_tokens: false,
    default_dims: {},
    locked_dims: {},
    required_dims: [],
    rate_limit_rpm: null,
    max_parallel: null,
    version: 1,
  })
})

test('a key is made with a budget of its own', async (context) => {
  const { weir, json } = createCommandLine(context)
  const create = ['keys', 'create', '--name', 'capped']
  const budget = ['--budget-usd', '12.50', '--budget-period', 'week', '--budget-block']
  const made = await json<KeyJson>(...create, ...budget)
  const { budgets } = await json<{ budgets: Record<string, unknown>[] }>('budgets', 'list')
  const { id, name, scope, limit_usd: limit, period, blocking } = budgets[0] ?? {}
  assert.deepEqual(
    [id, name, scope, limit, period, blocking],
    [made['budget_id'], 'capped', `api_key=${made.id}`, 12.5, 'week', true],
  )
  assert.match((await weir(...create, '--budget-usd', '5')).out, /with the budget bud_\w+\./)
  for (const wrong of [['--budget-block'], ['--budget-usd', '0'], ['--budget-usd', 'much']]) {
    assert.equal((await weir(...create, ...wrong)).code, 2)
  }
  const none = await weir(...create, '--budget-period', 'day')
  assert.match(none.err, /A budget needs its limit/)
})

test('people are told that the secret is not shown again', async (context) => {
  const { weir } = createCommandLine(context)
  const { code, out, err } = await weir('keys', 'create', '--name', 'search')
  assert.equal(code, 0)
  assert.match(out, /^Key svc_k_\w+ \(search\) was created\.$/m)
  assert.match(out, /^ {2}svc_k_\w+\.[\w-]{32,}$/m)
  assert.match(out, /not shown again/)
  assert.equal(err, '')
})

test('the data directory is made for its owner alone', async (context) => {
  const { weir, dataDir } = createCommandLine(context)
  await weir('keys', 'create', '--name', 'search')
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  assert.equal(statSync(path.join(dataDir, 'settings.db')).mode & 0o777, 0o600)
})

const many = (flag: string, count: number, toValue: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => [flag, toValue(index)]).flat()

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a blank name', ['--name', '  '], /--name must have 1 to 100/],
  ['a name of 101 characters', ['--name', 'n'.repeat(101)], /--name must have/],
  ['a name that rewrites terminals', ['--name', 'a\u001b[2Jb'], /no control characters/],
  ['an empty pattern', ['--allow-model='], /--allow-model must be .* patterns .*, unlike ""/],
  ['a pattern beyond ASCII', ['--allow-model', 'ácme/*'], /printable ASCII/],
  ['a pattern of 201 characters', ['--allow-model', 'm'.repeat(201)], /patterns of 1 to 200/],
  ['101 patterns', many('--allow-model', 101, (n) => `m${n}`), /at most 100/],
  [
    'a provider id in capitals',
    ['--allow-provider', 'ACME'],
    /--allow-provider must be .* ids of providers, unlike "ACME"/,
  ],
  [
    'a stored credential in capitals',
    ['--use-credential', 'ACME'],
    /--use-credential must be .* unlike "ACME"/,
  ],
  ['101 stored credentials', many('--use-credential', 101, (n) => `p${n}`), /at most 100/],
  ['a dimension without a value', ['--dim', 'team'], /--dim "team" is not a dimension: .*no "="/],
  ['a dimension with an empty value', ['--dim', 'team='], /value is empty/],
  ['a dimension with an empty key', ['--lock-dim', '=x'], /--lock-dim "=x" .*key is empty/],
  ['a dimension twice', ['--dim', 'a=1', '--dim', 'a=2'], /"a=2" .*given twice/],
  ['a control character in a dimension', ['--dim', 'a=b\nc'], /control character/],
  ['17 dimensions', many('--dim', 17, (n) => `k${n}=v`), /at most 16/],
  [
    'a required dimension with a blank',
    ['--require-dim', 'my team'],
    /names of dimensions: a letter, then/,
  ],
  [
    'no requests per minute',
    ['--rpm', '0'],
    /--rpm must be a whole number from 1 to 1000000, unlike "0"/,
  ],
  ['too many requests per minute', ['--rpm', '1000001'], /must be a whole number/],
  ['half a request', ['--rpm', '1.5'], /must be a whole number/],
  ['no concurrent calls', ['--max-parallel', '0'], /--max-parallel must be a whole number from 1/],
  ['too many concurrent calls', ['--max-parallel', '1000001'], /must be a whole number/],
  ['an expiry in the past', ['--expires', '2026-01-31'], /not in the future/],
  ['an expiry that is none', ['--expires', 'soon'], /"soon" is not a date or time/],
]

describe('keys create refuses', () => {
  for (const [name, words, message] of REFUSED) {
    test(name, async (context) => {
      const { weir, json } = createCommandLine(context)
      const named = words.includes('--name') ? words : ['--name', 'x', ...words]
      const { code, err } = await weir('keys', 'create', ...named)
      assert.equal(code, 2)
      assert.match(err, /^weir keys create failed \(invalid_argument\)\n/)
      assert.match(err, message)
      assert.deepEqual(await json('keys', 'list'), { keys: [] })
    })
  }
})

test('stored credentials are those of providers that are there, and that the key may call', async (context) => {
  const { weir, json } = createCommandLine(context)
  const create = ['keys', 'create', '--name', 'x', '--use-credential']
  const unknown = await weir(...create, 'antropic')
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /There is no provider "antropic"\.\nDid you mean anthropic\?/)
  const excluded = await weir(...create, 'openai', '--allow-provider', 'anthropic')
  assert.equal(excluded.code, 1)
  assert.match(
    excluded.err,
    /The key may not call openai, so it cannot use the credential stored for it\.\nAllow the key/,
  )
  assert.deepEqual(await json('keys', 'list'), { keys: [] })
})

test('keys create takes as much as its limits allow', async (context) => {
  const { json } = createCommandLine(context)
  const key = await json<{
    allowed_models: string[]
    default_dims: object
    rate_limit_rpm: number
    max_parallel: number
  }>(
    ...[
      ['keys', 'create', '--name', '😀'.repeat(100), '--rpm', '1000000'],
      ['--max-parallel', '1000000'],
      many('--allow-model', 100, (index) => `m${index}`.padEnd(200, 'x')),
      many('--dim', 16, (index) => `k${index}=${'v'.repeat(256)}`),
    ].flat(),
  )
  assert.equal(key.allowed_models.length, 100)
  assert.equal(Object.keys(key.default_dims).length, 16)
  assert.equal(key.rate_limit_rpm, 1_000_000)
  assert.equal(key.max_parallel, 1_000_000)
})

test('a key has an owner and a note, and a name given twice is said', async (context) => {
  const line = createCommandLine(context)
  const words = ['keys', 'create', '--name', 'search', '--owner', 'ada', '--note', 'nightly']
  words.push('--cost-center', 'CC-4711')
  const first = await line.json<{ id: string }>(...words)
  assert.partialDeepStrictEqual(first, {
    owner: 'ada',
    note: 'nightly',
    cost_center: 'CC-4711',
    same_name: [],
    warnings: [],
  })
  const second = await line.weir('keys', 'create', '--name', 'Search')
  assert.match(second.err, new RegExp(`Warning: "Search" is also the name of ${first.id}`))
  assert.match(
    (await line.weir('keys', 'list')).out,
    /NAME +OWNER +COST CENTER[^]*search +ada +CC-4711 +active/,
  )
  const cleared = await line.json('keys', 'update', first.id, '--clear', 'owner', '--name', 'a')
  assert.partialDeepStrictEqual(cleared, { owner: null, note: 'nightly', same_name: [] })
  assert.equal((await line.weir('keys', 'update', first.id, '--owner', ' ')).code, 2)
})
