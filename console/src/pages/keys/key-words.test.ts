import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  toCredentialWords,
  toLimitWords,
  toMissingCredentials,
  toOwnerWords,
  toPolicyWords,
} from './key-words.ts'

test('a policy is shown in a few words', () => {
  const cases = [
    [[], [], 'All models'],
    [['openai/*'], [], 'openai/*'],
    [['openai/*', 'a/b', 'c/d'], [], 'openai/* and 2 more'],
    [[], ['openai'], 'All models of openai'],
    [['openai/*'], ['openai', 'gateway'], 'openai/*, by openai and 1 more'],
  ] as const
  for (const [models, providers, expected] of cases) {
    const key = { allowed_models: [...models], allowed_providers: [...providers] }
    assert.equal(toPolicyWords(key), expected)
  }
})

test('stored credentials are shown in a few words, and those that are not stored yet', () => {
  const plain = { use_credentials: [], allow_derived_tokens: false }
  assert.equal(toCredentialWords(plain), null)
  const chosen = ['openai', 'google', 'xai']
  const words = toCredentialWords({ ...plain, use_credentials: chosen })
  assert.equal(words, 'Stored credentials of openai and 2 more')
  const derived = toCredentialWords({ use_credentials: ['openai'], allow_derived_tokens: true })
  assert.equal(derived, 'Stored credentials of openai, derived tokens')
  const providers = [
    { id: 'openai', has_credential: true },
    { id: 'google', has_credential: false },
  ]
  const missing =
    'No credential is stored for google, xai yet: set it in the configuration of Weir.'
  assert.equal(toMissingCredentials(chosen, providers), missing)
  assert.equal(toMissingCredentials(['openai'], providers), null)
  assert.equal(toMissingCredentials(chosen, null), null)
})

const NONE = { state: { budgets: 0 } }

test('limits are shown in a few words', () => {
  assert.equal(toLimitWords({ rate_limit_rpm: null, max_parallel: null, ...NONE }), 'No limits')
  assert.equal(
    toLimitWords({ rate_limit_rpm: 1200, max_parallel: 4, ...NONE }),
    'At most 1,200 per minute, 4 in parallel',
  )
  assert.equal(
    toLimitWords({ rate_limit_rpm: null, max_parallel: 1, ...NONE }),
    'At most 1 in parallel',
  )
  const budgets = { rate_limit_rpm: null, max_parallel: null, state: { budgets: 1 } }
  assert.equal(toLimitWords(budgets), '1 budget')
  assert.equal(
    toLimitWords({ ...budgets, max_parallel: 1, state: { budgets: 2 } }),
    'At most 1 in parallel; 2 budgets',
  )
})

test('an owner who is a user has a name, and who cannot sign in has others look after it', () => {
  const text = { owner: 'the night shift', owner_id: null, owner_name: null, looked_after_by: [] }
  assert.equal(toOwnerWords(text), 'the night shift')
  const ada = { owner: 'ada@example.com', owner_id: 'user_1', owner_name: 'Ada' }
  const words = (...keepers: string[]) => toOwnerWords({ ...ada, looked_after_by: keepers })
  assert.equal(words('ada@example.com'), 'Ada (ada@example.com)')
  assert.match(words('lee@example.com') ?? '', /cannot sign in: looked after by lee@example\.com/)
  assert.match(words() ?? '', /looked after by nobody/)
})
