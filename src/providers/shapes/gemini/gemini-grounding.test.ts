import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GeminiGrounding, toCountedGrounding } from './gemini-grounding.ts'

function count(model: string | null, ...seen: readonly unknown[]): Record<string, number> {
  const grounding = new GeminiGrounding()
  for (const value of seen) grounding.read(value)
  return grounding.toolCalls(model)
}

const QUERIES = { webSearchQueries: ['a', 'b', 'a', '', 7] }

test('counts a grounded answer once up to Gemini 2.5, and each query since', () => {
  assert.deepEqual(count('gemini-1.5-pro', QUERIES), { web_search: 1 })
  assert.deepEqual(count('gemini-2.5-flash', QUERIES), { web_search: 1 })
  assert.deepEqual(count('gemini-3-flash', QUERIES), { web_search: 2 })
  assert.deepEqual(count('gemini-20-flash', QUERIES), { web_search: 2 })
  assert.deepEqual(count(null, QUERIES), { web_search: 2 })
})

test('counts a query that a stream tells again once, and searches for images too', () => {
  const more = { webSearchQueries: ['b', 'c'], imageSearchQueries: ['d'] }
  assert.deepEqual(count('gemini-3-pro', QUERIES, null, more), { web_search: 4 })
})

test('counts nothing where nothing was searched', () => {
  assert.deepEqual(count('gemini-3-pro'), {})
  assert.deepEqual(count('gemini-2.5-pro', { webSearchQueries: [] }), {})
  assert.deepEqual(count('gemini-3-pro', { groundingChunks: [{ web: {} }, null] }), {})
})

test('counts an answer with places once', () => {
  const places = { groundingChunks: [{ maps: { placeId: '1' } }, { maps: { placeId: '2' } }] }
  assert.deepEqual(count('gemini-3-pro', places, places), { maps_search: 1 })
})

test('takes what interactions have counted, except what is not charged', () => {
  const counted = [
    { type: 'google_search', count: 2 },
    { type: 'google_maps', count: 1 },
    { type: 'retrieval', count: 9 },
    { type: 'google_search', count: -5 },
    { type: 'google_search' },
    null,
  ]
  assert.deepEqual(toCountedGrounding(counted), { web_search: 2, maps_search: 1 })
  assert.deepEqual(toCountedGrounding(undefined), {})
})
