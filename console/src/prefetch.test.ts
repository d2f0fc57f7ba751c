import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { prefetchKeys, prefetchOverview } from './prefetch.ts'
import { sessionQuery } from './data/session.ts'
import { usageQuery } from './data/usage.ts'

let client: QueryClient
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })
})

function signIn(...scopes: string[]): void {
  client.setQueryData(sessionQuery.queryKey, { scopes } as never)
}

/** Returns the paths that are asked. */
function answerWith(t: TestContext, answer: (path: string) => Promise<Response>): string[] {
  const asked: string[] = []
  t.mock.method(globalThis, 'fetch', (path: string) => {
    asked.push(path)
    return answer(path)
  })
  return asked
}

const overview = (hasCalls: boolean) => async (path: string) =>
  Response.json(path === '/v1/overview' ? { has_calls: hasCalls, dim_keys: ['team'] } : {})

test('all figures are there before the page is drawn', async (t) => {
  signIn('read:usage', 'read:keys')
  const asked = answerWith(t, overview(true))
  await prefetchOverview(client, {})
  const figures = asked.filter((path) => path.startsWith('/v1/usage?'))
  assert.equal(figures.length, 12)
  assert.ok(figures.some((path) => path.includes('dim_key=team')))
  const today = usageQuery({ metric: 'cost_usd', window: 'today' })
  assert.ok(client.getQueryData(today.queryKey) !== undefined)
})

test('who may not see keys does not ask for them', async (t) => {
  signIn('read:usage')
  const asked = answerWith(t, overview(true))
  await prefetchOverview(client, { dim: 'app' })
  assert.deepEqual(
    asked.filter((path) => /api_key|\/v1\/keys/.test(path)),
    [],
  )
  assert.ok(asked.some((path) => path.includes('dim_key=app')))
})

test('before the first call no figure is asked for: its answer would be kept', async (t) => {
  signIn('admin')
  const asked = answerWith(t, overview(false))
  await prefetchOverview(client, {})
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/v1/usage')),
    [],
  )
})

test('what fails is left to the page', async (t) => {
  signIn('admin')
  answerWith(t, () => Promise.reject(new TypeError('no network')))
  await prefetchOverview(client, {})
  await prefetchKeys(client, {})
})

test('what takes long is not waited for', async (t) => {
  signIn('admin')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  answerWith(t, () => new Promise(() => {}))
  const waiting = prefetchKeys(client, {})
  t.mock.timers.tick(200)
  await waiting
})
