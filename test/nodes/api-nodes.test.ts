// Two API nodes on one PostgreSQL, one clock five seconds fast and one as slow: any of them answers
// any request, and their limits hold over both together.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPasswords } from '../../src/accounts/passwords.ts'
import { openPostgresSettings } from '../../src/store/settings/postgres/store.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'
import { createBrowser } from '../fakes/browser.ts'
import { CHEAP_COST, openApi, openApiBeside } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { openSettingsDatabase } from '../fakes/postgres/postgres-settings.ts'
import { PASSWORD } from '../fakes/sign-in-scene.ts'

const time = { nowMs: Date.parse('2026-03-15T12:00:00.000Z'), monotonicMs: 0 }
const clock = { now: () => time.nowMs, monotonic: () => time.monotonicMs }
const ADA = { email: 'ada@example.com', password: PASSWORD }
const TODAY = '/v1/usage?metric=requests&window=today'

const nodes: OpenApi[] = []
const stores: SettingsStore[] = []
const cleanups: (() => Promise<void>)[] = []

before(async () => {
  const url = await openSettingsDatabase({ after: (cleanup) => cleanups.push(cleanup) })
  const open = async (fastMs: number): Promise<SettingsStore> => {
    const own = { ...clock, now: () => clock.now() + fastMs }
    const store = await openPostgresSettings({ url, clock: own, readTime: async () => clock.now() })
    stores.push(store)
    return store
  }
  const [one, two] = [await open(5000), await open(-5000)]
  const first = await openApi(time.nowMs, () => ({ settings: one, clock: one.clock }))
  nodes.push(first, await openApiBeside(first, () => ({ settings: two, clock: two.clock })))
  await one.users.create({
    email: ADA.email,
    name: 'Ada',
    role: 'admin',
    passwordHash: await createPasswords().hash(PASSWORD, CHEAP_COST),
    subject: null,
  })
})

after(async () => {
  // The first of them removes what both use.
  for (const node of nodes.toReversed()) await node.close()
  for (const store of stores) await store.close()
  for (const cleanup of cleanups) await cleanup()
})

function node(index: number): OpenApi {
  const found = nodes[index % nodes.length]
  assert.ok(found)
  return found
}

async function authorize(): Promise<string> {
  const token = { name: 'test', scopes: ['read:usage'], teamId: null, expiresAt: null } as const
  return `Bearer ${(await stores[0]?.tokens.create(token))?.credential}`
}

function pass(ms: number): void {
  time.nowMs += ms
  time.monotonicMs += ms
}

test('a token asks sixty times a minute, over both nodes together', async () => {
  const authorization = await authorize()
  const left: (string | null)[] = []
  for (let index = 0; index < 60; index += 1) {
    const answer = await node(index).get(TODAY, authorization)
    assert.equal(answer.status, 200)
    left.push(answer.headers.get('ratelimit-remaining'))
  }
  assert.deepEqual(
    left,
    Array.from({ length: 60 }, (_, index) => String(59 - index)),
  )
  for (const index of [0, 1]) {
    const refused = await node(index).get(TODAY, authorization)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '60')
  }
  assert.equal((await node(0).get(TODAY, await authorize())).status, 200)
  pass(60_000)
  assert.equal((await node(1).get(TODAY, authorization)).status, 200)
})

test('a question has the same answer on both nodes while it is kept', async () => {
  const authorization = await authorize()
  const question = '/v1/usage?metric=cost_usd&window=today'
  const answer = await (await node(0).get(question, authorization)).text()
  pass(10_000)
  assert.equal(await (await node(1).get(question, authorization)).text(), answer)
  pass(60_000)
  assert.notEqual(await (await node(1).get(question, authorization)).text(), answer)
})

test('failed sign-ins count on both nodes, and a right one after the wait is no failure', async () => {
  const signIn = async (index: number, password: string) =>
    createBrowser(node(index).url).ask('/v1/session', {
      method: 'POST',
      body: { ...ADA, password },
    })
  for (let index = 0; index < 5; index += 1) {
    assert.equal((await signIn(index, 'wrong')).status, 401)
  }
  for (const index of [0, 1]) {
    const refused = await signIn(index, PASSWORD)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '60')
  }
  pass(60_000)
  assert.equal((await signIn(1, PASSWORD)).status, 201)
  for (let index = 0; index < 5; index += 1) {
    assert.equal((await signIn(index, 'wrong')).status, 401)
  }
  pass(600_000)
})

test('who signed in to one node is signed in to the other, until they sign out', async () => {
  const browser = createBrowser(node(0).url)
  const begun = await browser.ask('/v1/session', { method: 'POST', body: ADA })
  assert.equal(begun.status, 201, await begun.text())
  const elsewhere = createBrowser(node(1).url, browser.cookies)
  assert.equal((await elsewhere.ask('/v1/session')).status, 200)
  assert.equal((await elsewhere.ask('/v1/session', { method: 'DELETE' })).status, 204)
  assert.equal((await browser.ask('/v1/session')).status, 401)
})

test('a handshake of MCP with one node is good for a call to the other', async () => {
  const authorization = await authorize()
  const post = (index: number, message: object) =>
    fetch(`${node(index).url}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const begun = await post(0, {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  })
  assert.equal(begun.status, 200)
  assert.equal(begun.headers.get('mcp-session-id'), null)
  assert.equal((await post(1, { method: 'notifications/initialized' })).status, 202)
  for (const index of [1, 0]) {
    const called = await post(index, {
      id: 2,
      method: 'tools/call',
      params: { name: 'query_usage', arguments: { metric: 'requests', window: 'today' } },
    })
    assert.equal(called.status, 200)
    const { result } = (await called.json()) as { result: { structuredContent?: object } }
    assert.ok(result.structuredContent)
  }
  // Its calls count for the token's minute, on whichever node.
  const answer = await node(1).get(TODAY, authorization)
  assert.equal(answer.headers.get('ratelimit-remaining'), '57')
})
