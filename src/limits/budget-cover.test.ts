import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestKey } from '../../test/fakes/test-key.ts'
import type { ApiKey } from '../core/api-key.ts'
import { createBudgetCovers, isEveryCallCovered } from './budget-cover.ts'
import type { Budget } from '../core/budget.ts'
import { parseScope } from '../core/budget-scope.ts'

const ID = 'svc_k_0123456789abcdef'
const TEAM = 'team_0123456789abcdef'
const PERSON = 'user_0123456789abcdef'

function toBudget(text: string) {
  const parsed = parseScope(text)
  assert.ok('scope' in parsed, text)
  return { id: text, scope: parsed.scope, each: 'none' as Budget['each'] }
}

function toKey(settings: Partial<ApiKey>): ApiKey {
  return createTestKey({ id: ID, secret: 'x' }, settings)
}

type Row = readonly [scope: string, key: Partial<ApiKey>, cover: 'all' | 'some' | null]

const ROWS: readonly Row[] = [
  ['global', {}, 'all'],
  [`api_key=${ID}`, {}, 'all'],
  ['api_key=svc_k_00000000', {}, null],
  ['provider=acme', {}, 'some'],
  ['provider=acme', { allowedProviders: ['acme'] }, 'all'],
  ['provider=acme', { allowedProviders: ['acme', 'hub'] }, 'some'],
  ['provider=acme', { allowedProviders: ['hub'] }, null],
  ['model=*', {}, 'all'],
  ['model=acme/*', {}, 'some'],
  ['model=acme/*', { allowedModels: ['acme/big', 'ACME/small-*'] }, 'all'],
  ['model=acme/*', { allowedModels: ['acme/big', 'other/*'] }, 'some'],
  ['model=acme/*', { allowedModels: ['other/*'] }, null],
  ['model=acme/big-1', { allowedModels: ['acme/big-2'] }, null],
  ['model=acme/big-1', { allowedModels: ['acme/*'] }, 'some'],
  ['model=big', { allowedModels: ['acme/big', 'other/big'] }, 'all'],
  ['model=acme/big', { allowedModels: ['big'] }, 'some'],
  ['model=acme/big', { allowedModels: ['small'] }, null],
  ['model=hub:acme/*', { allowedModels: ['acme/big'] }, 'some'],
  ['model=hub:acme/*', { allowedModels: ['acme/big'], allowedProviders: ['hub'] }, 'all'],
  ['model=hub:acme/*', { allowedProviders: ['acme'] }, null],
  ['model=hub:*', { allowedProviders: ['hub'] }, 'all'],
  ['dim:team=search', {}, null],
  ['dim:team=search', { lockedDims: { team: 'search' } }, 'all'],
  ['dim:team=search', { lockedDims: { team: 'ads' } }, null],
  [`team=${TEAM}`, { teamId: TEAM }, 'all'],
  [`team=${TEAM}`, {}, null],
  [`team=${TEAM}`, { teamId: 'team_00000000000000ff' }, null],
  [`team=${TEAM}`, { lockedDims: { team: TEAM } }, null],
  [`person=${PERSON}`, { personId: PERSON }, 'all'],
  ['dim:team=search', { defaultDims: { team: 'search' } }, 'some'],
  ['dim:team=search', { defaultDims: { team: 'search' }, lockedDims: { team: 'ads' } }, null],
]

for (const [scope, settings, cover] of ROWS) {
  test(`${scope} covers ${cover ?? 'no'} calls of a key with ${JSON.stringify(settings)}`, () => {
    const found = createBudgetCovers([toBudget(scope)])(toKey(settings))
    assert.deepEqual(
      found.map((each) => each.cover),
      cover === null ? [] : [cover],
    )
  })
}

const TOGETHER: readonly (readonly [scopes: string[], key: Partial<ApiKey>, all: boolean])[] = [
  [[], {}, false],
  [['provider=acme', 'global'], {}, true],
  [['provider=acme', 'provider=hub'], { allowedProviders: ['acme', 'hub'] }, true],
  [['provider=acme'], { allowedProviders: ['acme', 'hub'] }, false],
  [['provider=acme', 'provider=hub'], {}, false],
  [['model=acme/*', 'model=big'], { allowedModels: ['acme/x', 'other/big'] }, true],
  [['model=acme/*'], { allowedModels: ['acme/x', 'other/big'] }, false],
]

for (const [scopes, settings, isAll] of TOGETHER) {
  test(`${scopes.join(' and ')} cover ${isAll ? 'every call' : 'not every call'} of ${JSON.stringify(settings)}`, () => {
    const key = toKey(settings)
    assert.equal(isEveryCallCovered(createBudgetCovers(scopes.map(toBudget))(key), key), isAll)
  })
}

test('a rule for each covers who is a member of it, and a counter its member alone', () => {
  const rule = { ...toBudget('global'), each: 'person' } as const
  const counters = ['user_a', 'user_b'].map((member) => ({ ...rule, id: member, member }))
  const search = {
    ...rule,
    ...toBudget('dim:team=search'),
    each: 'person',
    member: 'user_a',
  } as const
  const find = createBudgetCovers([rule, ...counters, search])
  const idsOf = (key: Partial<ApiKey>): readonly string[] =>
    find(toKey(key)).map(({ budget }) => budget.id)
  assert.deepEqual(idsOf({}), [])
  assert.deepEqual(idsOf({ personId: 'user_a' }), ['global', 'user_a'])
  assert.deepEqual(idsOf({ personId: 'user_c' }), ['global'])
  const locked = { personId: 'user_a', lockedDims: { team: 'search' } }
  assert.deepEqual(idsOf(locked), ['global', 'user_a', 'dim:team=search'])
})
