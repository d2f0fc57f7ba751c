import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestRow } from '../../../../src/api/contract.ts'
import { toTokenSides } from './call-tokens.ts'

const TOKENS = {
  input_tokens: 1000,
  output_tokens: 300,
  cache_read_tokens: 600,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  input_audio_tokens: 0,
  input_image_tokens: 50,
  reasoning_tokens: 300,
  output_audio_tokens: 0,
  output_image_tokens: null,
}
const sidesOf = (change: Partial<RequestRow> = {}) =>
  toTokenSides({ ...TOKENS, ...change } as RequestRow)

test('kinds are parts of their whole, and what is of no kind is named', () => {
  const [input, output] = sidesOf()
  assert.deepEqual(input?.parts, [
    { label: 'read from cache', count: 600 },
    { label: 'not cached', count: 350 },
    { label: 'images', count: 50 },
  ])
  assert.deepEqual(output?.parts, [{ label: 'reasoning', count: 300 }])
})

test('sound and images among the cached reads are named apart', () => {
  const [input] = sidesOf({ cache_read_audio_tokens: 400, cache_read_image_tokens: 80 })
  assert.deepEqual(input?.parts, [
    { label: 'sound read from cache', count: 400 },
    { label: 'not cached', count: 350 },
    { label: 'read from cache', count: 120 },
    { label: 'images read from cache', count: 80 },
    { label: 'images', count: 50 },
  ])
})

test('parts that contradict their whole are shown as reported', () => {
  const [input] = sidesOf({ input_tokens: 100 })
  assert.equal(input?.count, 100)
  assert.deepEqual(
    input?.parts.map(({ count }) => count),
    [600, 50],
  )
})

test('where nothing is known there are no parts', () => {
  assert.deepEqual(sidesOf({ output_tokens: null })[1], {
    label: 'Output',
    count: null,
    parts: [],
  })
})
