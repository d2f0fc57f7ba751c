import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'
import { createdTokenSchema, tokenListSchema, tokenSchema } from '../contract.ts'
import type { ErrorBody } from '../contract.ts'

let api: OpenApi
let admin: string

before(async () => {
  api = await openApi(Date.parse('2026-03-19T12:00:00.000Z'))
  admin = await api.authorize('admin')
})

after(() => api.close())

interface Asked {
  readonly method?: string
  readonly body?: object | undefined
  readonly authorization?: string
}

async function ask(path: string, { method = 'GET', body, authorization = admin }: Asked = {}) {
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as unknown }
}

const post = (path: string, body?: object) => ask(path, { method: 'POST', body })

function assertError(answer: { status: number; body: unknown }, status: number, text: RegExp) {
  const { error } = answer.body as ErrorBody
  assert.equal(answer.status, status, error)
  assert.match(error, text)
}

test('a new token opens what it was made for, is listed without its secret, and ends', async () => {
  const given = { name: ' Report ', scopes: ['read:keys', 'read:usage', 'read:keys'] }
  const made = createdTokenSchema.parse((await post('/v1/tokens', given)).body)
  assert.match(made.token, new RegExp(`^${made.id}\\.`))
  const { token, ...row } = made
  assert.deepEqual(row, {
    id: made.id,
    status: 'active',
    name: 'Report',
    scopes: ['read:usage', 'read:keys'],
    team_id: null,
    team: null,
    created_at: '2026-03-19T12:00:00.000Z',
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  })
  const listed = await ask('/v1/tokens')
  const { rows } = tokenListSchema.parse(listed.body)
  assert.deepEqual(
    rows.find(({ id }) => id === made.id),
    row,
  )
  assert.ok(!listed.text.includes(token.slice(made.id.length + 1)))
  const authorization = `Bearer ${token}`
  assert.equal((await ask('/v1/keys', { authorization })).status, 200)
  const ended = tokenSchema.parse((await post(`/v1/tokens/${made.id}/revoke`)).body)
  assert.equal(ended.status, 'revoked')
  assertError(await ask('/v1/keys', { authorization }), 401, /revoked/)
})

test('what cannot be a token is refused with all that is wrong', async () => {
  const faults = [/missing: name must/, /missing: scopes must be one or more of read:usage/]
  for (const fault of faults) assertError(await post('/v1/tokens', {}), 400, fault)
  for (const scopes of [[], ['root'], 'admin', [1]]) {
    assertError(await post('/v1/tokens', { name: 'a', scopes }), 400, /scopes must be/)
  }
  const over = { name: 'a', scopes: ['admin'], expires_at: '2026-01-01T00:00:00Z' }
  assertError(await post('/v1/tokens', over), 400, /still to come/)
  assertError(await post('/v1/tokens/svc_agt_none/revoke'), 404, /no such token/)
})

test('a token is of a team by id or slug, and listed with it', async () => {
  const settings = { ...TEAM_CODEC.defaults, name: 'Search', slug: 'search' }
  const { id: teamId } = await api.settings.teams.create(settings)
  const given = { name: 'x', scopes: ['read:usage'], team_id: 'search' }
  const made = createdTokenSchema.parse((await post('/v1/tokens', given)).body)
  assert.deepEqual([made.team_id, made.team], [teamId, 'Search'])
  const { rows } = tokenListSchema.parse((await ask('/v1/tokens')).body)
  assert.equal(rows.find(({ id }) => id === made.id)?.team, 'Search')
  const other = { ...given, team_id: 'nowhere' }
  assertError(await post('/v1/tokens', other), 400, /^team_id is of no team/)
})
