import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyAnswer } from '../../../../src/api/contract.ts'
import { KEY_FORM, withoutEmpty } from './key-draft.ts'
import type { KeyDraft } from './key-draft.ts'

const { listDifferences, findFaults, toDraft } = KEY_FORM
const toChange = (stored: KeyDraft, draft: KeyDraft) => KEY_FORM.toChange({ stored, draft }, NOW_MS)

const NOW_MS = Date.parse('2026-03-15T12:00:00Z')
const KEY: KeyAnswer = {
  id: 'svc_k_1',
  name: 'search',
  team_id: null,
  person_id: null,
  owner: null,
  note: null,
  cost_center: null,
  old_secret_ends_at: null,
  status: 'active',
  created_at: '2026-01-01T00:00:00Z',
  version: 1,
  revoked_at: null,
  paused_at: null,
  expires_at: '2026-12-31T08:30:00Z',
  allowed_models: ['openai/*', 'acme/good'],
  allowed_providers: [],
  use_credentials: ['openai'],
  allow_derived_tokens: false,
  default_dims: { team: 'search', note: 'a=b, c' },
  locked_dims: {},
  required_dims: ['app'],
  rate_limit_rpm: 60,
  max_parallel: null,
}
const STORED = toDraft(KEY)

test('an unchanged key differs in nothing, and nothing of it is sent', () => {
  assert.deepEqual(toChange(STORED, toDraft(KEY)), {})
  assert.deepEqual(listDifferences(STORED, toDraft(KEY)), [])
  assert.deepEqual(findFaults(STORED), {})
})

test('only what was changed is sent', () => {
  const cases: readonly [Partial<KeyDraft>, object][] = [
    [{ allowed_models: ['openai/*'] }, { allowed_models: ['openai/*'] }],
    [{ allowed_models: [] }, { allowed_models: [] }],
    [{ use_credentials: [] }, { use_credentials: [] }],
    [{ allow_derived_tokens: true }, { allow_derived_tokens: true }],
    [
      { default_dims: ['team= ads', 'note=a=b, c'] },
      { default_dims: { team: 'ads', note: 'a=b, c' } },
    ],
    [
      { rate_limit_rpm: ' ', max_parallel: '1,000' },
      { rate_limit_rpm: null, max_parallel: 1000 },
    ],
    [{ expires_at: { choice: 'never', day: '' } }, { expires_at: null }],
    [{ expires_at: { choice: 'day', day: '2027-01-01' } }, { expires_at: '2027-01-01T23:59:59Z' }],
  ]
  for (const [change, expected] of cases) {
    assert.deepEqual(toChange(STORED, { ...STORED, ...change }), expected)
  }
})

test('a difference names what came and what went', () => {
  const draft: KeyDraft = {
    ...STORED,
    allowed_models: ['acme/good', 'google/*'],
    allowed_providers: ['openai'],
    use_credentials: [],
    allow_derived_tokens: true,
    rate_limit_rpm: '',
    required_dims: [],
  }
  assert.deepEqual(
    listDifferences(STORED, draft).map(({ field, removed, added }) => [field, removed, added]),
    [
      ['allowed_models', ['openai/*'], ['google/*']],
      ['allowed_providers', ['all providers'], ['openai']],
      ['use_credentials', ['openai'], ['none']],
      ['allow_derived_tokens', ['no'], ['yes']],
      ['required_dims', ['app'], ['none']],
      ['rate_limit_rpm', ['60'], ['no limit']],
    ],
  )
})

test('what is shown as the difference is what is stored', () => {
  const same: readonly Partial<KeyDraft>[] = [
    { name: ' search ' },
    { rate_limit_rpm: ' 60' },
    { default_dims: ['team = search', 'note=a=b, c'] },
  ]
  for (const change of same) {
    assert.deepEqual(listDifferences(STORED, { ...STORED, ...change }), [])
    assert.deepEqual(toChange(STORED, { ...STORED, ...change }), {})
  }
  const draft = { ...STORED, locked_dims: ['env = test'], max_parallel: '1,000' }
  const shown = listDifferences(STORED, draft).map(({ field, added }) => [field, added])
  assert.deepEqual(shown, [
    ['locked_dims', ['env=test']],
    ['max_parallel', ['1,000']],
  ])
  assert.deepEqual(Object.keys(findFaults(draft)), [])
})

test('a limit that is none is refused rather than read as another', () => {
  for (const typed of ['0', '-5', '1.5', '1,5', '1000001', 'many', '1e3']) {
    const faults = findFaults({ ...STORED, rate_limit_rpm: typed })
    assert.deepEqual(Object.keys(faults), ['rate_limit_rpm'], typed)
    assert.match(faults.rate_limit_rpm ?? '', /whole number from 1 to 1,000,000/)
  }
  for (const typed of ['', '1', '1000000', '1,000,000']) {
    assert.deepEqual(findFaults({ ...STORED, rate_limit_rpm: typed }), {})
  }
})

test('a stored credential of a provider that the key may not call is refused', () => {
  assert.deepEqual(findFaults({ ...STORED, allowed_providers: ['google', 'openai'] }), {})
  const faults = findFaults({ ...STORED, allowed_providers: ['google'] })
  assert.deepEqual(Object.keys(faults), ['use_credentials'])
  assert.match(faults.use_credentials ?? '', /only providers that the key is allowed to call/)
})

test('of two dimensions with one name, none is dropped unseen', () => {
  const faults = findFaults({ ...STORED, default_dims: ['team=a', 'team=b'] })
  assert.deepEqual(Object.keys(faults), ['default_dims'])
})

test('what cannot be sent to the API is found before it is asked', () => {
  const faults = findFaults({
    ...KEY_FORM.empty,
    name: ' ',
    default_dims: ['team'],
    locked_dims: ['=x'],
    expires_at: { choice: 'day', day: '' },
  })
  assert.deepEqual(Object.keys(faults), ['name', 'default_dims', 'locked_dims', 'expires_at'])
})

test('a new key is what its form says, with the last second of its last day', () => {
  const body = KEY_FORM.toBody({ ...STORED, name: 'new' }, NOW_MS)
  assert.equal(body.name, 'new')
  assert.deepEqual(body.default_dims, KEY.default_dims)
  assert.equal(body.expires_at, '2026-12-31T23:59:59Z')
})

test('of a new key only what was entered is sent, so that its team fills in the rest', () => {
  const draft = { ...KEY_FORM.empty, name: 'search', team_id: 'team_1', rate_limit_rpm: '60' }
  assert.deepEqual(withoutEmpty(KEY_FORM.toBody(draft, NOW_MS)), {
    name: 'search',
    team_id: 'team_1',
    rate_limit_rpm: 60,
  })
})
