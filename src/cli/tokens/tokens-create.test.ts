import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'

interface TokenJson {
  readonly id: string
  readonly token: string
  readonly [field: string]: unknown
}

test('a new token is printed with its scopes, given one by one or in a list', async (context) => {
  const { json } = createCommandLine(context)
  const { id, token, ...rest } = await json<TokenJson>(
    ...[
      ['tokens', 'create', '--name', 'ci', '--expires', '12h'],
      ['--scope', 'read:keys, read:usage', '--scope', 'read:usage', '--scope', 'write:keys'],
    ].flat(),
  )
  assert.match(id, /^svc_agt_[a-z0-9]{8,32}$/)
  assert.match(token, new RegExp(`^${id}\\.[A-Za-z0-9_-]{32,}$`))
  assert.deepEqual(rest, {
    status: 'active',
    name: 'ci',
    scopes: ['read:usage', 'read:keys', 'write:keys'],
    team_id: null,
    team: null,
    created_at: '2026-01-31T12:00:00.000Z',
    expires_at: '2026-02-01T00:00:00.000Z',
    revoked_at: null,
    last_used_at: null,
  })
})

test('unknown scopes are named beside the ones there are', async (context) => {
  const { weir, json } = createCommandLine(context)
  const call = ['tokens', 'create', '--name', 'ci', '--scope', 'read:usage,read:all,,write']
  const { code, err } = await weir(...call)
  assert.equal(code, 2)
  assert.match(err, /--scope must be one or more of read:usage, read:keys, .*admin, unlike/)
  assert.deepEqual(await json('tokens', 'list'), { tokens: [] })
})

test('the list shows status and last use, never a secret', async (context) => {
  const { weir, json, clock } = createCommandLine(context)
  const create = ['tokens', 'create', '--scope', 'admin', '--name']
  const made = await json<TokenJson>(...create, 'ci', '--expires', '90m')
  const other = await json<TokenJson>(...create, 'old')
  await weir('tokens', 'revoke', other.id)
  clock.nowMs += 90 * 60_000
  const { tokens } = await json<{ tokens: TokenJson[] }>('tokens', 'list')
  assert.deepEqual(
    tokens.find(({ id }) => id === made.id),
    {
      id: made.id,
      status: 'expired',
      name: 'ci',
      scopes: ['admin'],
      team_id: null,
      team: null,
      created_at: '2026-01-31T12:00:00.000Z',
      expires_at: '2026-01-31T13:30:00.000Z',
      revoked_at: null,
      last_used_at: null,
    },
  )
  assert.equal(tokens.find(({ id }) => id === other.id)?.['status'], 'revoked')
  const { out } = await weir('tokens', 'list')
  assert.match(out, /^ID +NAME +STATUS +CREATED +EXPIRES +LAST USED +SCOPES$/m)
  assert.ok(!out.includes(made.token.split('.')[1] as string))
})

test('a revoked token is shown as such and keeps its first moment', async (context) => {
  const { weir, json, clock } = createCommandLine(context)
  const made = await json<TokenJson>('tokens', 'create', '--name', 'ci', '--scope', 'read:usage')
  const revoked = await json<TokenJson>('tokens', 'revoke', made.token)
  assert.equal(revoked['status'], 'revoked')
  assert.equal(revoked['revoked_at'], '2026-01-31T12:00:00.000Z')
  clock.nowMs += 1
  assert.deepEqual(await json('tokens', 'revoke', made.id), revoked)
  assert.match((await weir('tokens', 'revoke', made.id)).out, /is revoked/)
})

test('people are told that the secret is not shown again, and how to make a first token', async (context) => {
  const { weir } = createCommandLine(context)
  assert.match((await weir('tokens', 'list')).out, /weir tokens create --name NAME --scope/)
  const { out } = await weir('tokens', 'create', '--name', 'ci', '--scope', 'read:usage')
  assert.match(out, /^ {2}svc_agt_\w+\.[\w-]{32,}$/m)
  assert.match(out, /not shown again/)
})
