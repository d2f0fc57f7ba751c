import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readRequestPage } from './requests.ts'

const { signal } = new AbortController()

/** Answers with so many empty pages before one that has a call. */
function stubLog(t: TestContext, emptyPages: number): URL[] {
  const asked: URL[] = []
  t.mock.method(globalThis, 'fetch', async (path: string) => {
    asked.push(new URL(path, 'http://weir.example'))
    const rows = asked.length > emptyPages ? [{ id: 'a' }] : []
    return Response.json({ rows, next_cursor: `after-${asked.length}` })
  })
  return asked
}

test('an empty page that has a next one is gone over', async (t) => {
  const asked = stubLog(t, 2)
  const page = await readRequestPage({ model: ['rare-*'], range: 'hour' }, null, signal)
  assert.equal(page.rows.length, 1)
  assert.deepEqual(
    asked.map(({ searchParams }) => searchParams.get('cursor')),
    [null, 'after-1', 'after-2'],
  )
  // A cursor is valid only for exactly the same filter.
  assert.equal(new Set(asked.map(({ searchParams }) => searchParams.get('from'))).size, 1)
  assert.ok(asked.every(({ searchParams }) => !searchParams.has('range')))
})

test('it does not look on for ever', async (t) => {
  const asked = stubLog(t, 1000)
  const page = await readRequestPage({}, null, signal)
  assert.equal(asked.length, 6)
  assert.deepEqual([page.rows.length, page.next_cursor], [0, 'after-6'])
})

test('a later page begins at the moment that the first one had', async (t) => {
  const asked = stubLog(t, 0)
  const place = { cursor: 'after-1', moments: { from: '2026-03-01T00:00:00Z', to: null } }
  await readRequestPage({ range: 'hour' }, place, signal)
  assert.equal(asked[0]?.searchParams.get('from'), '2026-03-01T00:00:00Z')
})
