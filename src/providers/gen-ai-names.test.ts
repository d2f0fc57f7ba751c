import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OPERATION_NAMES, toGenAiOperation, toGenAiProvider } from './gen-ai-names.ts'
import { PROVIDERS } from './registry.ts'

test('every operation that has a name of the conventions is one that some provider has', () => {
  const known = new Set(PROVIDERS.flatMap(({ operations }) => operations.map(({ name }) => name)))
  assert.deepEqual(
    [...OPERATION_NAMES.keys()].filter((name) => !known.has(name)),
    [],
  )
})

test('providers and operations are called as the conventions call them, else by their own names', () => {
  assert.deepEqual(['openai', 'bedrock', 'xai', 'rivers', 'constructor'].map(toGenAiProvider), [
    'openai',
    'aws.bedrock',
    'x_ai',
    'rivers',
    'constructor',
  ])
  assert.deepEqual(['openai-responses', 'openai-speech', null].map(toGenAiOperation), [
    'chat',
    'openai-speech',
    'other',
  ])
})
