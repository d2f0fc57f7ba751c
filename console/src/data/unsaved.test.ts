import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'
import { createQueryClient, SESSION_KEY } from './query-client.ts'
import { addUnsaved, hasUnsaved, subscribeUnsaved } from './unsaved.ts'

test('something is unsaved until the last form is done', () => {
  const seen: boolean[] = []
  const end = subscribeUnsaved(() => seen.push(hasUnsaved()))
  const [first, second] = [addUnsaved(), addUnsaved()]
  first()
  assert.equal(hasUnsaved(), true)
  second()
  assert.equal(hasUnsaved(), false)
  assert.deepEqual(seen, [true, false])
  end()
})

test('the end of a session leaves a page with something unsaved where it is', async () => {
  let ends = 0
  const client = createQueryClient(() => (ends += 1))
  client.setQueryData(SESSION_KEY, { id: 'session_x' })
  const fail = () =>
    client
      .fetchQuery({
        queryKey: ['a'],
        queryFn: () =>
          Promise.reject(new ApiError({ status: 401, code: 'unauthorized', message: '' })),
      })
      .catch(() => undefined)
  const done = addUnsaved()
  await fail()
  assert.equal(ends, 0)
  assert.deepEqual(client.getQueryData(SESSION_KEY), { id: 'session_x' })
  done()
})
