import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseOfNewSnapshot, createMatcher } from './model-match.ts'

const PREFIX_CASES = [
  // prefix, model, matches
  ['gpt-4o-realtime', 'gpt-4o-realtime-preview', true],
  ['gpt-4o-realtime', 'gpt-4o-realtime-preview-2024-12-17', true],
  ['gpt-4o-realtime', 'gpt-4o-realtime-2', false],
  ['gpt-4o-realtime', 'gpt-4o-realtime-mini', false],
  ['gpt-5-nano-', 'gpt-5-nano-2025-08-07', true],
  ['gpt-5-nano-', 'gpt-5-nano-pro', false],
  ['claude-sonnet-5', 'claude-sonnet-5-20260101', true],
  ['claude-sonnet-5', 'claude-sonnet-5-5', false],
  ['claude-sonnet-5', 'claude-sonnet-5.5', false],
  ['claude-sonnet-4-2025', 'claude-sonnet-4-20250514', true],
  ['anthropic.claude-opus-4-6', 'anthropic.claude-opus-4-6-v1', true],
  ['anthropic.claude-opus-4-6', 'anthropic.claude-opus-4-6-v2', false],
  ['gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct-0914', true],
  ['gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct:20230824-v2', true],
  ['gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct-v2', false],
  ['openai.gpt-oss-120b-1', 'openai.gpt-oss-120b-1:0', true],
  ['openai.gpt-oss-120b-1', 'openai.gpt-oss-120b-12:0', false],
  ['us.anthropic.claude-fable-5-v1', 'us.anthropic.claude-fable-5-v1:0', true],
  ['claude-opus-4-6', 'claude-opus-4-6@default', true],
  ['claude-opus-5@', 'claude-opus-5@default', true],
  ['claude-opus-5', 'claude-opus-5-default', false],
  ['llama3', 'llama3:8b', false],
  ['ft:gpt-4o-2024-', 'ft:gpt-4o-2024-08-06:acme::abc123', true],
  ['ft:gpt-3.5-turbo', 'ft:gpt-3.5-turbo-0125:acme:tone:abc123', true],
  ['ft:gpt-3.5-turbo', 'ft:gpt-3.5-turbo-16k:acme::abc123', false],
  ['gpt-4o-mini-2024-07-18.ft-', 'gpt-4o-mini-2024-07-18.ft-0f3c9', true],
] as const

for (const [prefix, model, matches] of PREFIX_CASES) {
  test(`a rule for names starting with ${prefix} ${matches ? 'matches' : 'does not match'} ${model}`, () => {
    assert.equal(createMatcher({ starts_with: prefix })?.(model), matches ? prefix.length : null)
  })
}

test('a name made to be matched for ever is refused at once', () => {
  const matches = createMatcher({ starts_with: 'gpt-4o' })
  for (const tail of ['1', '-1', '2025-08-07', 'v1', '-preview']) {
    assert.equal(matches?.(`gpt-4o${tail.repeat(Math.ceil(190 / tail.length))}x`), null)
  }
})

test('an expression counts by the letters that it insists on', () => {
  const matches = createMatcher({ regex: '^gpt-5\\.6-sol-\\d{4}-\\d{2}-\\d{2}$' })
  assert.equal(matches?.('gpt-5.6-sol-2026-08-21'), 'gpt-56-sol---'.length)
  assert.equal(matches?.('gpt-5.6-sol'), null)
})

test('a rule of several conditions matches only when all of them do', () => {
  const matches = createMatcher({
    and: [{ starts_with: 'gemini-2.5-pro' }, { regex: '^(?!.*tts)' }],
  })
  assert.equal(matches?.('gemini-2.5-pro-preview-05-06'), 'gemini-2.5-pro'.length)
  assert.equal(matches?.('gemini-2.5-pro-preview-tts'), null)
})

test('a name that contains a part counts only when nothing but a snapshot follows it', () => {
  const matches = createMatcher({ contains: 'anthropic.claude-3-5-sonnet' })
  assert.equal(matches?.('us.anthropic.claude-3-5-sonnet-20241022-v2:0'), 27)
  assert.equal(matches?.('us.anthropic.claude-3-5-sonnet-turbo'), null)
})

const KNOWN = ['gpt-4o', 'gpt-4o-2024-05-13', 'gpt-4o-2024-11-20', 'gpt-4o-mini']
const SNAPSHOT_CASES = [
  ['gpt-4o-2026-01-02', 'gpt-4o'],
  ['gpt-4o-2024-06-01', null],
  ['gpt-4o-mini-2026-01-02', 'gpt-4o-mini'],
  ['gpt-4o', null],
] as const

for (const [model, base] of SNAPSHOT_CASES) {
  test(`the model under which ${model} is sold is ${base ?? 'not known'}`, () => {
    assert.equal(baseOfNewSnapshot(model, KNOWN), base)
  })
}
