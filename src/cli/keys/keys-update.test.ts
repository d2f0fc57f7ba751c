import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'

interface KeyJson {
  readonly id: string
  readonly key: string
  readonly [field: string]: unknown
}

interface KeysJson {
  readonly keys: readonly KeyJson[]
}

const DAY_MS = 86_400_000

function createFullKey({ json }: CommandLine): Promise<KeyJson> {
  return json<KeyJson>(
    ...[
      ['keys', 'create', '--name', 'search', '--rpm', '60', '--expires', '1d'],
      ['--allow-model', 'acme/*', '--allow-provider', 'acme', '--max-parallel', '8'],
      ['--allow-provider', 'openai', '--use-credential', 'openai'],
      ['--dim', 'team=search', '--lock-dim', 'env=prod', '--require-dim', 'app'],
    ].flat(),
  )
}

const OF_NOBODY = {
  team: null,
  person: null,
  owner_id: null,
  owner_name: null,
  looked_after_by: [],
}

test('the list shows every key and its status, never a secret', async (context) => {
  const line = createCommandLine(context)
  const expiring = await createFullKey(line)
  const revoked = await line.json<KeyJson>('keys', 'create', '--name', 'old')
  const active = await line.json<KeyJson>('keys', 'create', '--name', 'ads')
  await line.weir('keys', 'revoke', revoked.id)
  line.clock.nowMs += DAY_MS
  const { keys } = await line.json<KeysJson>('keys', 'list')
  const statuses = new Map(keys.map((key) => [key.id, key['status']]))
  assert.equal(statuses.get(expiring.id), 'expired')
  assert.equal(statuses.get(revoked.id), 'revoked')
  assert.equal(statuses.get(active.id), 'active')
  const { key: _secret, same_name: _none, warnings: _about, ...shown } = expiring
  const listed = keys.find((key) => key.id === expiring.id)
  const { state, ...rest } = listed as KeyJson & { readonly state: { readonly status: string } }
  const read = { ...OF_NOBODY, last_used_at: null, warnings: [] }
  assert.deepEqual(rest, { ...shown, ...read, status: 'expired' })
  assert.equal(state.status, 'expired')
  const { out } = await line.weir('keys', 'list')
  for (const made of [expiring, revoked, active]) {
    const secret = made.key.split('.')[1] as string
    assert.ok(!out.includes(secret) && !JSON.stringify(keys).includes(secret))
  }
  assert.match(out, /^ID +NAME +STATUS +CREATED +EXPIRES +LAST USED +LIMITS$/m)
  assert.match(
    out,
    /search +expired +2026-01-31 12:00Z +2026-02-01 12:00Z +never +models acme\/\*; providers/,
  )
})

test('an empty list says how to make the first key', async (context) => {
  const { weir, json } = createCommandLine(context)
  assert.match((await weir('keys', 'list')).out, /weir keys create --name/)
  assert.deepEqual(await json('keys', 'list'), { keys: [] })
})

test('an update replaces what it names and keeps the rest', async (context) => {
  const line = createCommandLine(context)
  const { id, key: _key, ...made } = await createFullKey(line)
  const changed = await line.json<KeyJson>(
    ...[
      ['keys', 'update', id, '--name', 'ads', '--allow-model', 'b/*', '--allow-model', 'c/*'],
      ['--dim', 'app=web', '--rpm', '5', '--max-parallel', '2'],
    ].flat(),
  )
  assert.deepEqual(changed, {
    ...made,
    id,
    status: 'active',
    warnings: changed['warnings'],
    name: 'ads',
    allowed_models: ['b/*', 'c/*'],
    default_dims: { app: 'web' },
    rate_limit_rpm: 5,
    max_parallel: 2,
    version: 2,
  })
  const { same_name: _none, warnings: _about, ...shown } = changed
  const { keys } = await line.json<KeysJson>('keys', 'list')
  const state = { status: 'active', reason: null, until: null, budgets: 0, used_up: [] }
  const read = { ...OF_NOBODY, state, last_used_at: null, warnings: [] }
  assert.deepEqual(keys, [{ ...shown, ...read }])
})

test('a pattern that matches nothing known is stored, and warned of', async (context) => {
  const line = createCommandLine(context)
  const created = await line.weir('keys', 'create', '--name', 'a', '--allow-model', 'gpt-4o-mnii')
  const warning = /^Warning: gpt-4o-mnii matches no model .* Did you mean gpt-4o-mini\?$/
  assert.equal(created.code, 0)
  assert.match(created.err, warning)
  const { keys } = await line.json<KeysJson>('keys', 'list')
  assert.deepEqual(keys[0]?.['allowed_models'], ['gpt-4o-mnii'])
  const update = ['keys', 'update', keys[0]?.id ?? '', '--allow-model']
  assert.match((await line.weir(...update, 'gpt-4o-mnii')).err, warning)
  assert.equal((await line.weir(...update, 'gpt-4o-mini')).err, '')
})

test('people are shown the limits of a key in words', async (context) => {
  const line = createCommandLine(context)
  const { id } = await line.json<KeyJson>('keys', 'create', '--name', 'search')
  const { out } = await line.weir('keys', 'update', id, '--rpm', '60', '--max-parallel', '4')
  assert.match(out, / 60 requests per minute; 4 calls at once$/m)
})

test('an update replaces which stored credentials a key may use', async (context) => {
  const line = createCommandLine(context)
  const { id } = await line.json<KeyJson>('keys', 'create', '--name', 'a', '--rpm', '5')
  const update = ['keys', 'update', id]
  const both = ['--use-credential', 'openai', '--use-credential', 'anthropic']
  const { out, err: warning } = await line.weir(...update, ...both)
  assert.match(
    warning,
    /^Warning: no credential is stored for openai and anthropic yet: set providers\.openai\.cr.* in the configuration\.$/,
  )
  assert.match(out, / stored credentials openai anthropic; 5 requests per minute$/m)
  const one = await line.json<KeyJson>(...update, '--use-credential', 'google')
  assert.deepEqual(one['use_credentials'], ['google'])
  const { code, err } = await line.weir(...update, '--allow-provider', 'openai')
  assert.equal(code, 1)
  assert.match(err, /The key may not call google, so/)
  const derived = await line.weir(...update, '--allow-derived-tokens')
  assert.match(derived.out, / stored credentials google; may make derived tokens; 5 /)
  const none = await line.json<KeyJson>(...update, '--clear', 'use-credential')
  assert.equal(none['allow_derived_tokens'], true)
  assert.deepEqual(none['use_credentials'], [])
})

test('an update can clear everything but the name', async (context) => {
  const line = createCommandLine(context)
  const { id } = await createFullKey(line)
  const options = [
    'owner',
    'note',
    'cost-center',
    'allow-model',
    'allow-provider',
    'use-credential',
    'allow-derived-tokens',
    'dim',
    'lock-dim',
    'require-dim',
    'rpm',
    'max-parallel',
    'expires',
  ]
  const clears = options.flatMap((option) => ['--clear', option])
  assert.deepEqual(await line.json('keys', 'update', id, ...clears), {
    id,
    status: 'active',
    name: 'search',
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
    version: 2,
  })
})

test('an update refuses to clear what it sets, or what cannot be cleared', async (context) => {
  const line = createCommandLine(context)
  const { id } = await createFullKey(line)
  const both = await line.weir('keys', 'update', id, '--rpm', '5', '--clear', 'rpm')
  assert.equal(both.code, 2)
  assert.match(both.err, /--rpm and --clear rpm contradict each other/)
  const wrong = await line.weir('keys', 'update', id, '--clear', 'rmp')
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /Did you mean rpm\?/)
  assert.equal((await line.weir('keys', 'update', id, '--clear', 'name')).code, 2)
  assert.equal((await line.json<KeysJson>('keys', 'list')).keys[0]?.['rate_limit_rpm'], 60)
})

test('a rotated key has a new secret under its id', async (context) => {
  const line = createCommandLine(context)
  const made = await createFullKey(line)
  const rotated = await line.json<KeyJson>('keys', 'rotate', made.id)
  assert.notEqual(rotated.key, made.key)
  assert.deepEqual({ ...rotated, key: '' }, { ...made, key: '', version: 2, warnings: [] })
  const { out } = await line.weir('keys', 'rotate', made.id)
  assert.match(out, /not shown again/)
})

test('a revoked key keeps its first moment and cannot be rotated', async (context) => {
  const line = createCommandLine(context)
  const { id } = await createFullKey(line)
  const revoked = await line.json<KeyJson>('keys', 'revoke', id)
  assert.equal(revoked['status'], 'revoked')
  line.clock.nowMs += DAY_MS
  assert.equal(
    (await line.json<KeyJson>('keys', 'revoke', id))['revoked_at'],
    revoked['revoked_at'],
  )
  const { code, err } = await line.weir('keys', 'rotate', id)
  assert.equal(code, 1)
  assert.match(err, /was revoked for good/)
})

test('a key is paused and resumed, and a revoked one is neither', async (context) => {
  const line = createCommandLine(context)
  const { id } = await createFullKey(line)
  const paused = await line.json<KeyJson>('keys', 'pause', id)
  assert.deepEqual([paused['status'], paused['paused_at']], ['paused', paused['created_at']])
  assert.match((await line.weir('keys', 'list')).out, / paused /)
  const resumed = await line.json<KeyJson>('keys', 'resume', id)
  assert.deepEqual([resumed['status'], resumed['paused_at']], ['active', null])
  await line.json('keys', 'revoke', id)
  for (const act of ['pause', 'resume']) {
    const { code, err } = await line.weir('keys', act, id)
    assert.equal(code, 1)
    assert.match(err, /was revoked for good/)
  }
  assert.equal((await line.weir('keys', 'pause', 'svc_k_00000000')).code, 1)
})

test('a whole key given for its id is taken for the id, and its secret is not repeated', async (context) => {
  const line = createCommandLine(context)
  const made = await createFullKey(line)
  const secret = made.key.split('.')[1] as string
  const { code, out } = await line.weir('keys', 'revoke', made.key)
  assert.equal(code, 0)
  assert.ok(!out.includes(secret))
  const { err } = await line.weir('keys', 'update', `svc_k_00000000.${secret}`, '--rpm', '5')
  assert.match(err, /There is no key svc_k_00000000\./)
  assert.ok(!err.includes(secret))
})
