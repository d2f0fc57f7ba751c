import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECIPES } from '../../../recipes/recipes.ts'
import { chooseModel, chooseProvider, findTool, listTools, listWays } from './recipe-choices.ts'
import type { CallingKey } from './recipe-choices.ts'

const KEY: CallingKey = {
  id: 'svc_k_1',
  allowed_models: [],
  allowed_providers: [],
  use_credentials: [],
  required_dims: [],
  default_dims: {},
  locked_dims: {},
}

const toRecipe = (id: string) => findTool(id, undefined) ?? assert.fail(id)

test('every recipe can be chosen, in its group', () => {
  const groups = listTools(undefined)
  assert.deepEqual(
    groups.map(({ group }) => group),
    ['Command line', 'Libraries', 'Applications'],
  )
  const ids = groups.flatMap(({ items }) => items.map(({ value }) => value))
  assert.deepEqual(ids.toSorted(), RECIPES.map(({ id }) => id).toSorted())
})

test('a provider has the tools that speak one of its formats', () => {
  const cases = [
    ['anthropic', 'claude-code', true],
    ['anthropic', 'codex', false],
    ['google', 'gemini-cli', true],
    ['bedrock', 'boto3', true],
    ['bedrock', 'curl', false],
    ['my-llm', 'openai-python', true],
    ['my-llm', 'claude-code', false],
  ] as const
  for (const [provider, id, expected] of cases) {
    const ids = listTools([provider]).flatMap(({ items }) => items.map(({ value }) => value))
    assert.equal(ids.includes(id), expected, `${provider}: ${id}`)
  }
  assert.deepEqual(listTools(['azure']), [])
})

test('a tool that cannot call the provider gives its place to one that can', () => {
  assert.equal(findTool('codex', undefined)?.id, 'codex')
  assert.equal(findTool('codex', ['groq'])?.id, 'codex')
  assert.equal(findTool('codex', ['bedrock'])?.id, 'boto3')
  assert.equal(findTool('codex', ['azure']), null)
})

test('the provider is one that the key may call, with a stored credential before others', () => {
  const choose = (tool: string, providers: string[] | undefined, stored: string[] = []) =>
    chooseProvider(toRecipe(tool), providers, stored)
  assert.equal(choose('curl', undefined), 'openai')
  assert.equal(choose('curl', ['anthropic', 'groq']), 'anthropic')
  assert.equal(choose('curl', ['anthropic', 'openai']), 'openai')
  assert.equal(choose('curl', undefined, ['groq']), 'groq')
  assert.equal(choose('curl', ['openai', 'groq'], ['groq']), 'groq')
  assert.equal(choose('claude-code', ['anthropic', 'groq'], ['groq']), 'anthropic')
})

test('the model is one that the key may use', () => {
  const toRow = (provider: string, model: string, is_text = true) => {
    return { provider, model, is_text, slug: `${provider}/${model}`, calls: 0 }
  }
  const choose = (
    key: CallingKey | null,
    provider: string,
    rows: ReturnType<typeof toRow>[] = [],
  ) => chooseModel(toRecipe('curl'), { provider, key, rows })
  const limited = { ...KEY, allowed_models: ['x'] }
  assert.equal(choose(null, 'openai'), 'gpt-4o-mini')
  assert.equal(choose(KEY, 'openai'), 'gpt-4o-mini')
  assert.equal(choose(KEY, 'my-llm'), 'a-model-it-offers')
  assert.equal(choose(KEY, 'my-llm', [toRow('my-llm', 'house-7b')]), 'house-7b')
  const rows = [toRow('groq', 'a'), toRow('openai', 'tts-1', false), toRow('openai', 'gpt-5.4')]
  assert.equal(choose(limited, 'openai', rows), 'gpt-5.4')
  assert.equal(choose(limited, 'openai', [...rows, toRow('openai', 'gpt-4o-mini')]), 'gpt-4o-mini')
  assert.equal(choose(limited, 'openai', [toRow('openai', "x'$(id)")]), null)
})

test('a stored credential is a way only where there is one, and where it can say what is needed', () => {
  const plain = { isStored: false, dims: '' }
  const stored = { isStored: true, dims: '' }
  const needs = { isStored: true, dims: 'team=your-team' }
  const ways = (tool: string, rights: typeof plain) => listWays(toRecipe(tool), rights)
  assert.deepEqual(ways('curl', plain), ['header'])
  assert.deepEqual(ways('curl', stored), ['header', 'stored'])
  assert.deepEqual(ways('curl', needs), ['header', 'stored'])
  assert.deepEqual(ways('codex', needs), ['header'])
  assert.deepEqual([ways('cursor', plain), ways('cursor', stored)], [[], ['stored']])
  for (const { id } of RECIPES) assert.ok(ways(id, stored).length > 0, id)
})
