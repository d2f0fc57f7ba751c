import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'
import { canRetry, createQueryClient, SESSION_KEY } from './query-client.ts'

const fail = (code: 'unauthorized' | 'sign_in_refused') => () =>
  Promise.reject(new ApiError({ status: 401, code, message: '' }))

test('the first answer that says no one is signed in ends the session once', async () => {
  let ends = 0
  const client = createQueryClient(() => (ends += 1))
  client.setQueryData(SESSION_KEY, { id: 'session_x' })
  const asked = ['a', 'b'].map((name) =>
    client.fetchQuery({ queryKey: [name], queryFn: fail('unauthorized') }),
  )
  await Promise.allSettled(asked)
  assert.equal(ends, 1)
  assert.equal(client.getQueryData(SESSION_KEY), null)
})

test('a wrong password, or a refusal before sign-in, ends no session', async () => {
  let ends = 0
  const client = createQueryClient(() => (ends += 1))
  await client.fetchQuery({ queryKey: ['a'], queryFn: fail('unauthorized') }).catch(() => undefined)
  client.setQueryData(SESSION_KEY, { id: 'session_x' })
  await client
    .fetchQuery({ queryKey: ['b'], queryFn: fail('sign_in_refused') })
    .catch(() => undefined)
  assert.equal(ends, 0)
  assert.deepEqual(client.getQueryData(SESSION_KEY), { id: 'session_x' })
})

for (const [failures, status, can] of [
  [0, 0, true],
  [1, 503, true],
  [2, 503, false],
  [0, 404, false],
  [0, 429, false],
] as const) {
  test(`after ${failures} retries a status of ${status} is ${can ? '' : 'not '}asked again`, () => {
    const error = new ApiError({ status, code: 'internal', message: '' })
    assert.equal(canRetry(failures, error), can)
  })
}
