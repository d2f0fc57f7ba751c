import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { providerConformance } from '../../test/contracts/provider-conformance.ts'
import type { Provider, RequestView } from './provider.ts'
import { ADDRESSES, SHAPES } from './directory.ts'
import { createProvider, findProvider, PROVIDERS } from './registry.ts'

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

test('has the providers of the directory, in its order', () => {
  assert.deepEqual(
    PROVIDERS.map(({ id, upstream }) => [id, upstream]),
    Object.entries(ADDRESSES),
  )
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
    assert.equal(provider.id, 'own')
    assert.equal(provider.upstream, 'http://localhost:8000')
    const path = SAMPLE_PATHS.get(shape) ?? '/chat/completions'
    assert.equal(countMatches(provider, post(path)), 1, path)
    assert.equal(countMatches(provider, post(`/v1${path}`)), 1, `/v1${path}`)
  }
})

/**
 * What the official clients send to an address without a version; behind one that has it, less by
 * that.
 */
const CLIENT_CALLS: Readonly<Record<string, readonly string[]>> = {
  anthropic: [
    'POST /v1/messages',
    'POST /v1/messages/count_tokens',
    'POST /v1/messages/batches',
    'POST /v1/messages/batches/msgbatch_1/cancel',
    'GET /v1/messages/batches/msgbatch_1/results',
    'POST /v1/complete',
    'POST /v1/files',
    'POST /v1/agents',
    'POST /v1/sessions/session_1/events',
  ],
  gemini: [
    'POST /v1beta/models/m:generateContent',
    'POST /v1beta/models/m:streamGenerateContent',
    'POST /v1beta/models/m:countTokens',
    'POST /v1beta/models/m:batchEmbedContents',
    'POST /v1beta/models/m:predict',
    'POST /v1beta/models/m:predictLongRunning',
    'POST /v1beta/models/m:batchGenerateContent',
    'GET /v1beta/batches/b',
    'POST /v1beta/batches/b:cancel',
    'POST /v1beta/interactions',
    'GET /v1beta/interactions/i',
    'POST /v1beta/interactions/i/cancel',
    'POST /v1beta/cachedContents',
    'PATCH /v1beta/cachedContents/c',
    'POST /v1beta/openai/chat/completions',
    'POST /v1beta/openai/embeddings',
  ],
  ollama: ['POST /v1/chat/completions', 'POST /v1/embeddings', 'POST /v1/messages'],
  gateway: [
    'POST /v1/chat/completions',
    'POST /v1/responses',
    'GET /v1/responses',
    'POST /v1/responses/compact',
    'POST /v1/messages',
    'POST /v1/messages/count_tokens',
    'POST /v1/embeddings',
    'POST /v1/images/generations',
    'POST /v1/images/edits',
    'POST /v1/audio/speech',
    'POST /v1/audio/transcriptions',
    'POST /v1/evaluate',
    'POST /v1/realtime/client-secrets',
    'GET /v1/live/sessions',
    'POST /v2/rerank',
    'POST /v4/ai/language-model',
    'POST /v3/ai/language-model',
    'POST /v4/ai/embedding-model',
    'POST /v4/ai/video-model/start',
    'POST /v4/ai/batch/results',
    'GET /v4/ai/realtime-model',
  ],
}

/** Calls whose paths have no version, whatever the address. */
const ROOT_CALLS: Readonly<Record<string, readonly string[]>> = {
  bedrock: [
    'POST /model/m/converse',
    'POST /model/m/converse-stream',
    'POST /model/m/invoke',
    'POST /model/m/invoke-with-response-stream',
    'POST /model/m/count-tokens',
    'POST /async-invoke',
    'POST /guardrail/g/version/1/apply',
    'POST /anthropic/v1/messages',
    'POST /openai/v1/chat/completions',
    'POST /openai/v1/responses',
    'GET /openai/v1/responses/resp_1',
  ],
  gemini: [
    'POST /upload/v1beta/files',
    'GET /download/v1beta/files/f:download',
    'GET /ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  ],
  // As a router writes them, with each service's own path below its name.
  openai: [
    'POST /together/v1/chat/completions',
    'POST /groq/openai/v1/chat/completions',
    'POST /fireworks-ai/inference/v1/completions',
    'POST /cohere/compatibility/v1/embeddings',
    'POST /novita/v3/openai/chat/completions',
    'POST /deepinfra/v1/openai/chat/completions',
    'POST /openai/v1/responses',
  ],
  ollama: ['POST /api/chat', 'POST /api/generate', 'POST /api/embed', 'POST /api/show'],
}

for (const shape of SHAPES) {
  test(`knows each call of the clients of a provider of shape ${shape} by one operation`, () => {
    const provider = createProvider({ id: 'own', shape, upstream: 'http://localhost:8000' })
    const versioned = CLIENT_CALLS[shape] ?? []
    const bare = versioned.map((call) => call.replace(/\/v\d[a-z]*/, ''))
    for (const call of [...versioned, ...bare, ...(ROOT_CALLS[shape] ?? [])]) {
      const [method = '', path = ''] = call.split(' ')
      assert.equal(countMatches(provider, { ...post(path), method }), 1, call)
    }
  })
}

test('does not take the name before a version for none, where models are restricted', () => {
  const provider = createProvider({ id: 'own', shape: 'openai', upstream: 'http://localhost:8000' })
  const request = post('/other-model/v1/chat/completions')
  const found = provider.operations.find((operation) => operation.matches(request))
  assert.equal(found?.createNamesReader(request).end().kind, 'unreadable')
  assert.equal(countMatches(provider, post('/router/models/a/b/v1/chat/completions')), 0)
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
