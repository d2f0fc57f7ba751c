import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECIPES } from '../../../recipes/recipes.ts'
import { findTool, listTools, listWays } from './recipe-choices.ts'

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
    const ids = listTools(provider).flatMap(({ items }) => items.map(({ value }) => value))
    assert.equal(ids.includes(id), expected, `${provider}: ${id}`)
  }
  assert.deepEqual(listTools('azure'), [])
})

test('a tool that cannot call the provider gives its place to one that can', () => {
  assert.equal(findTool('codex', undefined)?.id, 'codex')
  assert.equal(findTool('codex', 'groq')?.id, 'codex')
  assert.equal(findTool('codex', 'bedrock')?.id, 'boto3')
  assert.equal(findTool('codex', 'azure'), null)
})

test('every tool has a way, and those that cannot send a header have the other', () => {
  for (const recipe of RECIPES) assert.ok(listWays(recipe).length > 0, recipe.id)
  const cursor = RECIPES.find(({ id }) => id === 'cursor')
  assert.deepEqual(cursor && listWays(cursor), ['stored'])
})
