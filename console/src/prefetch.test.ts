import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { prefetchKeys, prefetchOverview } from './prefetch.ts'
import { sessionQuery } from './data/session.ts'
import { overviewOf } from './data/service.ts'

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

const overview = async () => Response.json({ has_calls: true, dim_keys: ['team'] })

test('all figures are there before the page is drawn, by one question', async (t) => {
  signIn('read:usage', 'read:keys')
  const asked = answerWith(t, overview)
  await prefetchOverview(client, {})
  assert.deepEqual(
    asked.filter((path) => /overview|usage/.test(path)),
    ['/v1/overview'],
  )
  assert.ok(client.getQueryData(overviewOf().queryKey) !== undefined)
})

test('who may not see keys does not ask for them', async (t) => {
  signIn('read:usage')
  const asked = answerWith(t, overview)
  await prefetchOverview(client, { group_by: 'api_key' })
  assert.deepEqual(
    asked.filter((path) => path.includes('/v1/keys')),
    [],
  )
  assert.ok(asked.includes('/v1/overview'))
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
