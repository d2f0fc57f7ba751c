import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createKeyCredential } from './ids.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import {
  canPatternsMeet,
  createModelPolicy,
  findPattern,
  isHiddenModel,
  isModelAllowed,
  isPatternWithin,
  policyOf,
} from './model-policy.ts'

type Row = readonly [pattern: string, providerId: string, slug: string]

const ALLOWED: readonly Row[] = [
  ['acme/big-1', 'acme', 'acme/big-1'],
  ['acme/*', 'acme', 'acme/big-1'],
  ['acme/*', 'hub', 'acme/big-1'],
  ['acme/big-*', 'acme', 'acme/big-1'],
  ['acme/big*', 'acme', 'acme/big'],
  ['*', 'acme', 'acme/big-1'],
  ['*', 'hub', 'bare'],
  ['**', 'acme', 'acme/big-1'],
  ['*/big-*-mini', 'hub', 'acme/big-1-mini'],
  ['a*a', 'hub', 'aa'],
  ['a*b*b', 'hub', 'a/bb'],
  ['acme/*-mini', 'acme', 'acme/mini-mini'],
  ['ACME/Big-*', 'acme', 'acme/big-1'],
  ['acme/big-1', 'acme', 'ACME/BIG-1'],
  ['acme:acme/*', 'acme', 'acme/big-1'],
  ['hub:acme/*', 'hub', 'acme/big-1'],
  ['HUB:acme/*', 'hub', 'acme/big-1'],
  ['my-hub-2:acme/*', 'my-hub-2', 'acme/big-1'],
  ['acme:*', 'acme', 'acme/big-1'],
  ['ollama/llama3:8b', 'ollama', 'ollama/llama3:8b'],
  ['ollama:ollama/llama3:8b', 'ollama', 'ollama/llama3:8b'],
  ['ollama/*:8b', 'ollama', 'ollama/llama3:8b'],
  ['acme/ft:big:team::1', 'acme', 'acme/ft:big:team::1'],
  ['acme/ft:*', 'acme', 'acme/ft:big:team::1'],
  ['cloud/maker.big-v1:0', 'cloud', 'cloud/maker.big-v1:0'],
  ['llama3:8b', 'hub', 'llama3:8b'],
  ['maker.big-v1:0/x', 'hub', 'maker.big-v1:0/x'],
  ['vmc/mine', 'hub', 'vmc/mine'],
  ['vmc/*', 'hub', 'vmc/mine'],
  ['hub:VMC/*', 'hub', 'vmc/mine'],
  ['own/vmc/*', 'own', 'own/vmc/mine'],
  ['*vmc/mine', 'own', 'own/vmc/mine'],
  ['@preset/*', 'hub', '@preset/mine'],
  ['acme/*@preset/*', 'hub', 'acme/big@preset/mine'],
  ['acme/*', 'acme', 'acme/vmc-1'],
  ['big-1', 'acme', 'acme/big-1'],
  ['BIG-1', 'acme', 'acme/Big-1'],
  ['big-*', 'acme', 'acme/big-1'],
  ['big-1', 'hub', 'acme/big-1'],
  ['big-1', 'router', 'router/acme/big-1'],
  ['big-1:free', 'router', 'router/acme/big-1:free'],
  ['big-1', 'fire', 'fire/accounts/fire/models/big-1'],
  ['maker.big-v1:0', 'cloud', 'cloud/maker.big-v1:0'],
  ['acme:big-1', 'acme', 'acme/big-1'],
  ['ACME:big-*', 'acme', 'acme/big-1'],
  ['router:big-1:free', 'router', 'router/acme/big-1:free'],
  ['llama3:8b', 'ollama', 'ollama/llama3:8b'],
  ['ollama:llama3:8b', 'ollama', 'ollama/llama3:8b'],
  ['ft:big:team::1', 'acme', 'acme/ft:big:team::1'],
  ['acme*', 'acme', 'acme/big-1'],
]

const REFUSED: readonly Row[] = [
  ['acme/big-1', 'acme', 'acme/big-10'],
  ['acme/big-1', 'acme', 'xacme/big-1'],
  ['acme/big-1', 'acme', 'acme/big-1 '],
  ['acme/big-1', 'acme', 'acme/big-1:free'],
  ['acme/*', 'acme', 'acme'],
  ['acme/*', 'hub', 'acmex/big'],
  ['acme/*', 'hub', 'x/acme/big'],
  ['acme/*', 'hub', 'big-1'],
  ['big-1', 'acme', 'acme/big-10'],
  ['big-1', 'router', 'router/acme/big-1:free'],
  ['big-1', 'router', 'router/big-1/other'],
  ['big-*', 'router', 'router/big-maker/other'],
  ['big-1', 'acme', 'acme/big-1/'],
  ['mine', 'hub', 'vmc/mine'],
  ['mi*', 'own', 'own/vmc/mine'],
  ['mine', 'hub', '@preset/mine'],
  ['mine', 'hub', 'acme/big@preset/mine'],
  ['a*a', 'hub', 'a'],
  ['ab*ba', 'hub', 'aba'],
  ['a*b*b', 'hub', 'a/b'],
  ['acme:acme/*', 'hub', 'acme/big-1'],
  ['hub:acme/*', 'acme', 'acme/big-1'],
  ['hub:*', 'acme', 'acme/big-1'],
  ['acme:big-1', 'hub', 'acme/big-1'],
  ['acme:big-*', 'hub', 'hub/big-1'],
  ['acme:mine', 'acme', 'acme/vmc/mine'],
  ['llama3:70b', 'ollama', 'ollama/llama3:8b'],
  ['llama3:8b/*', 'hub', 'llama3:8b/x'],
  ['acme/gpt.4', 'acme', 'acme/gpt-4'],
  ['', 'hub', 'x'],
  ['*', 'hub', 'vmc/mine'],
  ['*', 'hub', 'VMC/mine'],
  ['hub:*', 'hub', '@preset/mine'],
  ['own/*', 'own', 'own/vmc/mine'],
  ['own/*', 'own', 'own/@preset/mine'],
  ['acme/*', 'hub', 'acme/big@preset/mine'],
  ['*mc/*', 'hub', 'vmc/mine'],
]

describe('a policy allows', () => {
  for (const [pattern, providerId, slug] of ALLOWED) {
    test(`${slug} at ${providerId} by ${pattern}`, () => {
      const policy = createModelPolicy(['other/model', pattern])
      assert.equal(findPattern(policy, { providerId, slug }), pattern)
    })
  }
})

describe('a policy does not allow', () => {
  for (const [pattern, providerId, slug] of REFUSED) {
    test(`${slug} at ${providerId} by "${pattern}"`, () => {
      const policy = createModelPolicy(['other/model', pattern])
      assert.equal(findPattern(policy, { providerId, slug }), null)
      assert.equal(isModelAllowed(policy, { providerId, slug }), false)
    })
  }
})

test('the pattern that is told is the first that allows', () => {
  const policy = createModelPolicy(['acme/small', 'acme/*', 'acme/big'])
  assert.equal(findPattern(policy, { providerId: 'acme', slug: 'acme/big' }), 'acme/*')
})

test('virtual models and presets are told apart from those that name what runs', () => {
  const names = ['vmc/a', 'own/vmc/a', 'VMC/a', '@preset/a', 'x/y@Preset/a', 'vmc', 'acme/xvmc/a']
  assert.deepEqual(names.filter(isHiddenModel), names.slice(0, 5))
})

test('a key without patterns has no policy, and a key is read once', () => {
  const credential = createKeyCredential()
  assert.equal(policyOf(createTestKey(credential)), null)
  const key = createTestKey(credential, { allowedModels: ['acme/*'] })
  assert.equal(policyOf(key), policyOf(key))
  assert.notEqual(policyOf(key), policyOf({ ...key }))
})

test('matches as a regular expression would, whatever the pattern and the slug', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.', ':'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (pattern, slug) => {
      // A colon may make a provider of what stands before it, which is another question.
      fc.pre(!pattern.includes(':'))
      const whole = pattern
        .split('*')
        .map((part) => RegExp.escape(part))
        .join('.*')
      // Without a slash it is compared with what follows the last one, too.
      const text = pattern.includes('/') ? `^${whole}$` : `(?:^|/(?=[^/]*$))${whole}$`
      const expected = new RegExp(text).test(slug)
      assert.equal(
        isModelAllowed(createModelPolicy([pattern]), { providerId: 'p', slug }),
        expected,
      )
    }),
  )
})

test('a pattern made to take long takes no time', () => {
  const policy = createModelPolicy([`${'a*'.repeat(100)}b`])
  assert.equal(isModelAllowed(policy, { providerId: 'p', slug: 'a'.repeat(10_000) }), false)
})

test('what a pattern within another allows, the other one allows', () => {
  const pattern = fc.string({
    unit: fc.constantFrom('a', 'b', '*', '/', 'hub:', 'vmc/', '@preset/'),
    minLength: 1,
    maxLength: 6,
  })
  const slug = fc.string({ unit: fc.constantFrom('a', 'b', '/', ':', 'vmc/'), maxLength: 6 })
  const asked = fc.record({ providerId: fc.constantFrom('hub', 'acme'), slug })
  fc.assert(
    fc.property(pattern, pattern, asked, (inner, outer, use) => {
      if (!isPatternWithin(inner, outer)) return
      const isInner = isModelAllowed(createModelPolicy([inner]), use)
      assert.ok(!isInner || isModelAllowed(createModelPolicy([outer]), use))
    }),
    { numRuns: 20_000 },
  )
})

test('patterns that meet share a model, or may', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['acme/big', 'acme/big', true],
    ['acme/big', 'acme/big-2', false],
    ['acme/big', 'acme/big-*', false],
    ['acme/big-2', 'acme/big-*', true],
    ['acme/*', 'other/*', false],
    ['*', 'acme/*', true],
    ['big', 'acme/big', true],
    ['big', 'acme/small*', false],
    ['hub:acme/*', 'acme:acme/*', false],
    ['hub:acme/*', 'acme/*', true],
  ]
  for (const [one, other, canMeet] of cases) {
    assert.equal(canPatternsMeet(one, other), canMeet, `${one} and ${other}`)
    assert.equal(canPatternsMeet(other, one), canMeet, `${other} and ${one}`)
  }
})
