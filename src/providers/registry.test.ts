import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { providerConformance } from '../../test/contracts/provider-conformance.ts'
import type { Provider, RequestView } from './provider.ts'
import { createProvider, findProvider, PROVIDERS, SHAPES } from './registry.ts'

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/providers')

providerConformance(PROVIDERS, FIXTURES)

function post(path: string): RequestView {
  return { method: 'POST', path, query: '', header: () => null, headers: () => [] }
}

function countMatches(provider: Provider, request: RequestView): number {
  return provider.operations.filter((operation) => operation.matches(request)).length
}

test('finds a provider by its id and nothing by another', () => {
  for (const provider of PROVIDERS) assert.equal(findProvider(provider.id), provider)
  assert.equal(findProvider('nobody'), null)
})

test('gives no two providers one id', () => {
  assert.equal(new Set(PROVIDERS.map((provider) => provider.id)).size, PROVIDERS.length)
})

/** A call of each shape that has none of chat completions. */
const SAMPLE_PATHS: ReadonlyMap<string, string> = new Map([
  ['bedrock', '/model/m/converse'],
  ['gemini', '/models/m:generateContent'],
])

test('makes a provider of every shape, with or without the version segment in its address', () => {
  for (const shape of SHAPES) {
    const provider = createProvider({ id: 'own', shape, upstream: 'http://localhost:8000' })
    assert.ok(provider !== null)
    assert.equal(provider.id, 'own')
    assert.equal(provider.upstream, 'http://localhost:8000')
    const path = SAMPLE_PATHS.get(shape) ?? '/chat/completions'
    assert.equal(countMatches(provider, post(path)), 1, path)
    assert.equal(countMatches(provider, post(`/v1${path}`)), 1, `/v1${path}`)
  }
})

test('makes no provider of a shape that it does not know', () => {
  assert.equal(createProvider({ id: 'own', shape: 'smoke', upstream: 'http://localhost' }), null)
})

test('knows a chat completion by its method and its exact path', () => {
  for (const provider of PROVIDERS) {
    // Some have it under a base of their own, and some have none.
    if (countMatches(provider, post('/v1/chat/completions')) === 0) continue
    assert.equal(countMatches(provider, post('/v1/chat/completions')), 1)
    assert.equal(countMatches(provider, { ...post('/v1/chat/completions'), method: 'GET' }), 0)
    assert.equal(countMatches(provider, post('/v1/chat/completions/')), 0)
    assert.equal(countMatches(provider, post('/v1/models')), 0)
  }
})
