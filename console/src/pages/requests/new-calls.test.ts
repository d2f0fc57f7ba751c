import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNewCalls } from './new-calls.ts'

const toPage = (ids: string, next: string | null = null) => ({
  rows: ids.split('').map((id) => ({ id })),
  next_cursor: next,
})

test('calls that are not in the list yet are counted wherever they stand in the page', () => {
  const cases = [
    ['edcb', ['cb'], 2, false],
    // A long call that began before the others is recorded last.
    ['edcb', ['ecb'], 1, false],
    ['cb', ['cb'], 0, false],
    ['', [''], 0, false],
    ['b', [''], 1, false],
  ] as const
  for (const [head, pages, count, hasMore] of cases) {
    const shown = pages.map((ids) => toPage(ids))
    assert.deepEqual(findNewCalls(toPage(head), shown), { count, hasMore })
  }
})

test('what lies below the end of a list that was cut is not new', () => {
  assert.deepEqual(findNewCalls(toPage('dcba'), [toPage('dc', 'more')]), {
    count: 0,
    hasMore: false,
  })
})

test('a page of new calls alone, with more behind it, says that there are more', () => {
  const head = toPage('zyx', 'more')
  assert.deepEqual(findNewCalls(head, [toPage('cb', 'more')]), { count: 3, hasMore: true })
})

test('nothing is new while one of the two is on its way', () => {
  assert.equal(findNewCalls(undefined, [toPage('a')]).count, 0)
  assert.equal(findNewCalls(toPage('a'), undefined).count, 0)
})
