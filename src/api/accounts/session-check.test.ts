// What applies to every path alike when a request has a cookie.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../test/fakes/browser.ts'
import type { Browser } from '../../../test/fakes/browser.ts'
import { errorCode, openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { API_ROUTES } from '../api-routes.ts'
import { createDocument } from '../../../test/usage-api/openapi-document.ts'

let scene: SignInScene
let admin: Browser
let viewer: Browser

before(async () => {
  scene = await openSignInScene()
  admin = await scene.signIn('ada@example.com')
  viewer = await scene.signIn('vera@example.com')
})

after(() => scene.close())

interface Change {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Every operation of the document that is not GET or HEAD. */
function listChanges(): readonly Change[] {
  return Object.entries(createDocument('', API_ROUTES).paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get' && method !== 'head')
      .map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, 'some_id'),
        body: requestBody?.content['application/json']?.example,
      })),
  )
}

/** What any user may do about their own session and views, or asks without changing anything. */
const OWN = /^\/v1\/(?:device|session|sessions|setup|views|welcome)(?:\/|$)/
const READS = ['/v1/keys/check', '/v1/keys/models']

test('a viewer changes nothing, whatever the path', async () => {
  const changes = listChanges().filter(({ path }) => !OWN.test(path) && !READS.includes(path))
  assert.ok(changes.length >= 18, `only ${changes.length} changes`)
  for (const { method, path, body } of changes) {
    const answer = await viewer.ask(path, { method, body })
    assert.deepEqual(await errorCode(answer), [403, 'scope_denied'], `${method} ${path}`)
  }
})

test('a viewer sees figures, calls and keys, but neither users nor the audit log', async () => {
  for (const path of ['/v1/usage?metric=cost_usd&window=today', '/v1/requests', '/v1/budgets']) {
    assert.equal((await viewer.ask(path)).status, 200, path)
  }
  const byKey = '/v1/usage?metric=cost_usd&window=month_to_date&dimension=api_key'
  assert.equal((await viewer.ask(byKey)).status, 200)
  for (const path of ['/v1/users', '/v1/audit']) {
    assert.deepEqual(await errorCode(await viewer.ask(path)), [403, 'scope_denied'])
    assert.equal((await admin.ask(path)).status, 200)
  }
})

const FOREIGN: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sister site', { 'sec-fetch-site': 'same-site' }],
  ['nowhere', { 'sec-fetch-site': 'none' }],
  ['another site that lies about its origin', { 'sec-fetch-site': 'cross-site', origin: 'own' }],
]

for (const [name, headers] of FOREIGN) {
  test(`a cookie changes nothing for a page of ${name}`, async () => {
    for (const { method, path, body } of listChanges()) {
      const origin = headers['origin'] === undefined ? {} : { origin: scene.url }
      const answer = await admin.ask(path, { method, body, headers: { ...headers, ...origin } })
      assert.deepEqual(await errorCode(answer), [403, 'cross_site'], `${method} ${path}`)
    }
    assert.equal((await admin.ask('/v1/session')).status, 200)
  })
}

test('without Sec-Fetch-Site the origin decides, and must be there', async () => {
  const cookie = `weir_session=${admin.cookies.get('weir_session')}`
  const send = (headers: Record<string, string>) =>
    fetch(`${scene.url}/v1/users`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  const port = new URL(scene.url).port
  for (const origin of [
    'http://evil.example',
    'null',
    `http://localhost:${port}`,
    'http://127.0.0.1:1',
    'nonsense',
  ]) {
    assert.deepEqual(await errorCode(await send({ origin })), [403, 'cross_site'], origin)
  }
  assert.deepEqual(await errorCode(await send({})), [403, 'cross_site'])
  assert.deepEqual(await errorCode(await send({ origin: scene.url })), [400, 'invalid_parameter'])
})

test('a form is refused, also from a page of our own', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { 'content-type': type }
    const answer = await admin.ask('/v1/users', { method: 'POST', body: '{}', headers })
    assert.deepEqual(await errorCode(answer), [403, 'cross_site'], type)
  }
  const headers = { 'content-type': 'Application/JSON; charset=utf-8' }
  const answer = await admin.ask('/v1/users', { method: 'POST', body: '{}', headers })
  assert.deepEqual(await errorCode(answer), [400, 'invalid_parameter'])
})

test('a token that is sent wins over a cookie, right or wrong', async () => {
  const authorization = await scene.authorize('read:usage')
  const refused = await admin.ask('/v1/users', { headers: { authorization } })
  assert.deepEqual(await errorCode(refused), [403, 'scope_denied'])
  const wrong = { authorization: 'Bearer svc_agt_0123456789abcdef.no' }
  const unknown = await admin.ask('/v1/users', { headers: wrong })
  assert.deepEqual(unknown.headers.getSetCookie(), [])
  assert.deepEqual(await errorCode(unknown), [401, 'unauthorized'])
  // Programs are not asked where they come from.
  const full = { authorization: await scene.authorize('admin'), 'sec-fetch-site': 'cross-site' }
  const taken = await admin.ask('/v1/users', { method: 'POST', body: '{}', headers: full })
  assert.deepEqual(await errorCode(taken), [400, 'invalid_parameter'])
})

test('agents need a token: a cookie opens no /mcp', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const answer = await admin.ask('/mcp', { method: 'POST', body })
  assert.deepEqual(await errorCode(answer), [401, 'unauthorized'])
})

test('a session may ask for usage ten times as often as a token', async () => {
  const browser = await scene.signIn('vera@example.com')
  const answer = await browser.ask('/v1/usage?metric=cost_usd&window=today')
  assert.equal(answer.headers.get('ratelimit-limit'), '600')
  assert.equal(answer.headers.get('vary'), 'Authorization, Cookie, Accept-Encoding')
  const token = await scene.get(
    '/v1/usage?metric=cost_usd&window=today',
    await scene.authorize('read:usage'),
  )
  assert.equal(token.headers.get('ratelimit-limit'), '60')
})

test('a change is written down in the name of who has signed in', async () => {
  const body = { name: 'b', scope: 'global', period: 'month', limit_usd: 1 }
  const made = await admin.ask('/v1/budgets', { method: 'POST', body })
  assert.equal(made.status, 201, await made.clone().text())
  const { id } = (await made.json()) as { readonly id: string }
  await admin.ask(`/v1/budgets/${id}`, { method: 'PATCH', body: { name: 'c' } })
  await admin.ask(`/v1/budgets/${id}`, { method: 'DELETE' })
  const target = { kind: 'webhook', address: 'https://a.example/x' }
  const added = await admin.ask('/v1/targets', { method: 'POST', body: target })
  const { id: targetId } = (await added.json()) as { readonly id: string }
  const authorization = await scene.authorize('write:budgets')
  await fetch(`${scene.url}/v1/targets/${targetId}`, {
    method: 'DELETE',
    headers: { authorization },
  })
  const { entries } = await scene.settings.audit.list(
    { noun: null, actorId: null, subjectId: null },
    { before: null, rowsMax: 6 },
  )
  const lines = entries.map(({ action, actor }) => [action, actor.kind, actor.name])
  const ada = ['user', 'ada@example.com']
  assert.deepEqual(lines, [
    ['target.delete', 'token', 'test'],
    ['token.create', 'system', lines[1]?.[2]],
    ['target.create', ...ada],
    ['budget.delete', ...ada],
    ['budget.update', ...ada],
    ['budget.create', ...ada],
  ])
})

test('odd cookies are no session and break nothing', async () => {
  for (const odd of ['x', 'session_', `session_${'a'.repeat(16)}.`, '%00', 'a'.repeat(4000)]) {
    const browser = createBrowser(scene.url, [['weir_session', odd]])
    assert.equal((await browser.ask('/v1/info')).status, 200)
    assert.equal(browser.cookies.size, 0)
  }
})
