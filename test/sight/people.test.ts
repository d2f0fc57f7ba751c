// What people see as their teams change, with a role in the company beside their teams, and through
// the tools of agents.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SESSION_COOKIE } from '../../src/api/accounts/session-cookie.ts'
import type { KeyPage, SessionAnswer, UsageEnvelope } from '../../src/api/contract.ts'
import type { UserRole } from '../../src/core/user.ts'
import { openApiBeside } from '../fakes/open-api.ts'
import { NOW, openSightScene } from './sight-scene.ts'
import type { SightScene } from './sight-scene.ts'

let scene: SightScene
let ownId: string
let otherId: string

before(async () => {
  scene = await openSightScene()
  ownId = scene.own['teams'] ?? ''
  otherId = scene.other['teams'] ?? ''
})

after(() => scene.api.close())

let people = 0

async function enter(role: UserRole) {
  const { settings } = scene.api
  const email = `person-${(people += 1)}@example.com`
  const asked = { email, name: email, role, passwordHash: null, subject: null }
  const { id: userId } = await settings.users.create(asked)
  const session = { userId, expiresAt: NOW + 1_000_000, agent: null, address: null }
  const { credential } = await settings.sessions.create(session)
  const headers = { cookie: `${SESSION_COOKIE}=${credential}`, 'sec-fetch-site': 'same-origin' }
  const join = (teamId: string, as: 'lead' | 'member') =>
    settings.teams.join({ teamId, userId, role: as, source: 'hand' })
  const ask = (path: string, init: RequestInit = {}, url = scene.api.url) =>
    fetch(url + path, { ...init, headers: { ...headers, 'content-type': 'application/json' } })
  return { userId, join, ask }
}

async function read<Answer>(answer: Promise<Response>): Promise<Answer> {
  const response = await answer
  assert.ok(response.ok, `${response.url}: ${response.status}`)
  return (await response.json()) as Answer
}

const keysOf = async (answer: Promise<Response>): Promise<string[]> =>
  (await read<KeyPage>(answer)).rows.map(({ name }) => name).toSorted()

test('a membership holds from the next request on, on every node, and ends with it', async (t) => {
  const beside = await openApiBeside(scene.api)
  t.after(() => beside.close())
  const { userId, join, ask } = await enter('none')
  for (const url of [scene.api.url, beside.url]) {
    assert.equal((await ask('/v1/keys', {}, url)).status, 403)
  }
  await join(ownId, 'lead')
  for (const url of [beside.url, scene.api.url]) {
    assert.deepEqual(await keysOf(ask('/v1/keys', {}, url)), ['mine-key', 'moved-key', 'own-key'])
  }
  await join(ownId, 'member')
  assert.deepEqual(await keysOf(ask('/v1/keys', {}, beside.url)), [])
  await join(otherId, 'lead')
  assert.deepEqual(await keysOf(ask('/v1/keys', {}, beside.url)), ['zz-other-key'])
  await scene.api.settings.teams.leave(otherId, userId)
  await scene.api.settings.teams.leave(ownId, userId)
  assert.equal((await ask('/v1/keys', {}, beside.url)).status, 403)
})

test('a viewer sees the company, and changes the team that they lead', async () => {
  const { join, ask } = await enter('viewer')
  await join(ownId, 'lead')
  assert.equal((await keysOf(ask('/v1/keys'))).length, 5)
  const pause = (id = '') => ask(`/v1/keys/${id}/pause`, { method: 'POST', body: '{}' })
  assert.equal((await pause(scene.own['keys'])).status, 200)
  assert.equal((await pause(scene.other['keys'])).status, 404)
  const { scopes } = await read<SessionAnswer>(ask('/v1/session'))
  assert.deepEqual(scopes.toSorted(), [
    'read:keys',
    'read:requests',
    'read:usage',
    'write:budgets',
    'write:keys',
  ])
})

test('figures are kept apart for each who sees others', async () => {
  const one = await enter('none')
  const other = await enter('none')
  const both = await enter('none')
  const viewer = await enter('viewer')
  await one.join(ownId, 'lead')
  await other.join(otherId, 'lead')
  await both.join(ownId, 'lead')
  await both.join(otherId, 'lead')
  const path = '/v1/usage?metric=requests&window=month_to_date'
  const counts = []
  // Twice: once from the record and once from the snapshots.
  for (const { ask } of [viewer, one, other, both, viewer, one, other, both]) {
    const { rows } = await read<UsageEnvelope>(ask(path))
    counts.push(rows[0]?.value)
  }
  // Five of this month for each of five keys. One has come from the other team.
  assert.deepEqual(counts, [25, 10, 10, 20, 25, 10, 10, 20])
})

test('the tools of agents answer of the own team alone', async () => {
  const { own, other, secrets } = scene
  const names: readonly (readonly [tool: string, given: object, has: RegExp | null])[] = [
    ['list_usage_questions', {}, null],
    ['query_usage', usage({ dimension: 'model' }), /own-model/],
    ['query_usage', usage({ dimension: 'dim', dim_key: 'project' }), /own-project/],
    ['query_usage', usage({ dimension: 'api_key' }), new RegExp(own['keys'] ?? '')],
    ['analyze_usage', { group_by: ['api_key', 'model'] }, /own-model/],
    ['list_dimensions', {}, /own\.tag/],
    ['list_dimensions', { dim_key: 'project' }, /own-project/],
    ['list_requests', { limit: 100 }, /own-project/],
    ['list_requests', { api_key: other['keys'] }, null],
    ['list_agent_sessions', {}, null],
    ['explain_request', { request_id: own['requests'] }, /own-model/],
    ['explain_request', { request_id: other['requests'] }, /no record of such a request/],
    ['list_budgets', {}, /own-budget/],
    ['list_teams', {}, /own-team/],
  ]
  const listed = await call('tools/list', {})
  const tools = [...listed.matchAll(/"name":"(\w+)","title"/g)].map(([, name]) => name)
  assert.ok(tools.length > 5)
  assert.deepEqual(
    tools.filter((name) => !names.some(([tool]) => tool === name)),
    [],
    'a tool that is not asked here',
  )
  for (const [name, given, has] of names) {
    const text = await call('tools/call', { name, arguments: given })
    if (has !== null) assert.match(text, has, name)
    for (const secret of secrets.filter((each) => !JSON.stringify(given).includes(each))) {
      assert.ok(!text.includes(secret), `${name} says ${secret}: ${text.slice(0, 1000)}`)
    }
  }
})

const usage = (more: object) => ({ metric: 'cost_usd', window: 'month_to_date', ...more })

async function call(method: string, params: object): Promise<string> {
  const response = await fetch(`${scene.api.url}/mcp`, {
    method: 'POST',
    headers: {
      ...(await scene.authorize('team token', ['read:usage', 'read:keys', 'read:requests'])),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.text()
}
