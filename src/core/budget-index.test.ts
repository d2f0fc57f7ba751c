import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createBudgetIndex } from './budget-index.ts'
import type { CoveredCall, ScopedBudget } from './budget-index.ts'
import { parseScope } from './budget-scope.ts'

const KEY = 'svc_k_0123456789abcdef'

function budget(word: string): ScopedBudget {
  const parsed = parseScope(word)
  assert.ok('scope' in parsed, word)
  return { id: word, scope: parsed.scope }
}

const BUDGETS = [
  'global',
  `api_key=${KEY}`,
  'provider=openai',
  'model=openai/gpt-*',
  'model=gateway:*',
  'model=acme/writer',
  'dim:team=search',
  'dim:team=ads',
  'dim:app=search',
].map(budget)

const slugOf = (provider: string, model: string): string =>
  provider === 'gateway' ? model : `${provider}/${model}`

const CALL: CoveredCall = { keyId: null, provider: 'mistral', model: null, dims: {} }

const CASES: readonly [string, Partial<CoveredCall>, readonly string[]][] = [
  ['a call without anything', {}, ['global']],
  ['its key', { keyId: KEY }, ['global', `api_key=${KEY}`]],
  ['another key', { keyId: 'svc_k_fedcba9876543210' }, ['global']],
  ['its provider', { provider: 'openai' }, ['global', 'provider=openai']],
  [
    'a model of a provider',
    { provider: 'openai', model: 'GPT-6' },
    ['global', 'provider=openai', 'model=openai/gpt-*'],
  ],
  [
    'the same model by the gateway',
    { provider: 'gateway', model: 'openai/gpt-6' },
    ['global', 'model=openai/gpt-*', 'model=gateway:*'],
  ],
  [
    'a model that one names whole',
    { provider: 'gateway', model: 'acme/writer' },
    ['global', 'model=gateway:*', 'model=acme/writer'],
  ],
  ['one dimension', { dims: { team: 'search' } }, ['global', 'dim:team=search']],
  [
    'two dimensions',
    { dims: { team: 'ads', app: 'search' } },
    ['global', 'dim:team=ads', 'dim:app=search'],
  ],
  ['a name that every object has', { dims: { toString: 'x' } }, ['global']],
]

for (const [name, call, expected] of CASES) {
  test(`finds what covers ${name}`, () => {
    const index = createBudgetIndex(BUDGETS, slugOf)
    const found = (): string[] => index.find({ ...CALL, ...call }).map(({ id }) => id)
    assert.deepEqual(found().toSorted(), expected.toSorted())
    assert.deepEqual(found().toSorted(), expected.toSorted(), 'and again, from memory')
  })
}

test('keeps no more models in mind than it may, and still finds them', () => {
  const index = createBudgetIndex([budget('model=mistral/m-7*')], slugOf)
  let found = 0
  for (let model = 0; model < 3000; model += 1) {
    found += index.find({ ...CALL, model: `m-${model}` }).length
  }
  assert.equal(found, 1 + 10 + 100)
})

test('without budgets nothing covers anything', () => {
  assert.deepEqual(createBudgetIndex([], slugOf).find({ ...CALL, keyId: KEY }), [])
})
