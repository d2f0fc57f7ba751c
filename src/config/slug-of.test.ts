import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createTestConfig } from '../../test/fakes/role-process.ts'
import { SHAPES } from '../providers/directory.ts'
import { toSlug } from '../providers/provider.ts'
import { PROVIDERS } from '../providers/registry.ts'
import { resolveProviders } from './resolve-providers.ts'
import { createSlugOf } from './slug-of.ts'

test('names the models of built-in providers as these themselves declare', () => {
  const slugOf = createSlugOf({ providers: {} })
  for (const provider of PROVIDERS) {
    assert.equal(slugOf(provider.id, 'maker/m-1'), toSlug(provider, 'maker/m-1'))
  }
})

test('names the models of configured providers by their shape, also where a built-in id has another', () => {
  const url = 'https://ai.example.com'
  const own = SHAPES.map((shape) => [`own-${shape}`, { shape, url }])
  const moved = [
    ['openai', { shape: 'gateway', url }],
    ['gateway', { shape: 'openai', url }],
    ['anthropic', { url }],
  ]
  const config = { ...createTestConfig(), providers: Object.fromEntries([...own, ...moved]) }
  const slugOf = createSlugOf(config)
  for (const [id, { provider }] of resolveProviders(config)) {
    assert.equal(slugOf(id, 'maker/m-1'), toSlug(provider, 'maker/m-1'), id)
  }
  assert.equal(slugOf('openai', 'maker/m-1'), 'maker/m-1')
  assert.equal(slugOf('gateway', 'maker/m-1'), 'gateway/maker/m-1')
})

test('puts the id before the models of a provider that is no longer configured', () => {
  assert.equal(createSlugOf({ providers: {} })('gone', 'm-1'), 'gone/m-1')
  assert.equal(createSlugOf({ providers: {} })('constructor', 'm-1'), 'constructor/m-1')
})
