import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetEach, BudgetScope } from '../budget.ts'
import {
  canChangeBudget,
  canChangeKey,
  canSeeBudget,
  canSeeCall,
  canSeeKey,
  canSeeScope,
  canSeeSpender,
  canSeeTotals,
  scopesOf,
  sightOfTeam,
  sightOfUser,
} from './sight.ts'
import type { FindKey, Sight } from './sight.ts'

/** Leads a, with a1 below it; is in b, which shows its totals, and in c, which does not. */
const SIGHT: Sight = { teams: ['a', 'a1'], joined: ['b', 'c'], totals: ['b'], personId: 'me' }
const TEAMS = [
  { id: 'a', parentId: null, membersSeeTotals: false },
  { id: 'a1', parentId: 'a', membersSeeTotals: true },
  { id: 'b', parentId: null, membersSeeTotals: true },
  { id: 'b1', parentId: 'b', membersSeeTotals: true },
  { id: 'c', parentId: null, membersSeeTotals: false },
]
const lead = (teamId: string) => ({ teamId, role: 'lead' }) as const
const member = (teamId: string) => ({ teamId, role: 'member' }) as const

test('a person sees what they lead, and below a department, and what they are in', () => {
  assert.deepEqual(sightOfUser('me', [lead('a'), member('b'), member('c')], TEAMS), SIGHT)
  // Who leads the department leads its team, also as a member of that.
  assert.deepEqual(sightOfUser('me', [member('a1'), lead('a')], TEAMS).joined, [])
  // To be in a department is to be in none of its teams.
  assert.deepEqual(sightOfUser('me', [member('b')], TEAMS).joined, ['b'])
  // A team that is not there is not seen.
  assert.deepEqual(sightOfUser('me', [lead('gone')], TEAMS).teams, [])
})

test('totals are seen of teams that are led, and of those joined that show them', () => {
  const seen = ['a', 'a1', 'b', 'b1', 'c', 'd'].filter((id) => canSeeTotals(SIGHT, id))
  assert.deepEqual(seen, ['a', 'a1', 'b'])
})

test('leading a team brings more scopes than being in one, and neither brings none', () => {
  const sights = [SIGHT, { ...SIGHT, teams: [] }, { ...SIGHT, teams: [], joined: [] }]
  const read = ['read:usage', 'read:keys', 'read:requests']
  assert.deepEqual(sights.map(scopesOf), [
    [...read, 'write:keys', 'write:budgets'],
    [...read, 'write:keys'],
    [],
  ])
  assert.deepEqual(sightOfTeam('b'), { teams: ['b'], joined: [], totals: [], personId: null })
})

for (const [teamId, personId, isSeen, isChangeable] of [
  ['a', null, true, true],
  ['a1', 'you', true, true],
  ['b', 'me', true, true],
  ['b', 'you', false, false],
  ['b', null, false, false],
  ['d', 'me', true, false],
  ['d', 'you', false, false],
  [null, 'me', true, false],
  [null, null, false, false],
] as const) {
  const key = { teamId, personId }
  test(`a key of team ${teamId} and person ${personId} is ${isSeen ? '' : 'not '}seen`, () => {
    assert.deepEqual([canSeeKey(SIGHT, key), canChangeKey(SIGHT, key)], [isSeen, isChangeable])
    const dims = {
      team: 'a',
      ...(teamId !== null && { '@team': teamId }),
      ...(personId !== null && { '@person': personId }),
    }
    assert.equal(canSeeCall(SIGHT, dims), isSeen)
  })
}

const KEYS = new Map([
  ['ofA', { teamId: 'a', personId: null }],
  ['mine', { teamId: 'b', personId: 'me' }],
  ['ofB', { teamId: 'b', personId: null }],
])
const findKey: FindKey = (id) => KEYS.get(id) ?? null
const ofKey = (keyId: string): BudgetScope => ({ kind: 'api_key', keyId })
const ofFact = (key: string, value: string): BudgetScope => ({ kind: 'dim', key, value })

const TOGETHER = { isBlocking: false, each: 'none' } as const

for (const [name, scope, isSeen, isChangeable] of [
  ['everything', { kind: 'global' }, false, false],
  ['a provider', { kind: 'provider', providerId: 'p' }, false, false],
  ['a model', { kind: 'model', pattern: '*' }, false, false],
  ['a tag', ofFact('team', 'a'), false, false],
  ['a team that is led', ofFact('@team', 'a'), true, true],
  ['a team that shows its totals', ofFact('@team', 'b'), true, false],
  ['a team that does not', ofFact('@team', 'c'), false, false],
  ['oneself', ofFact('@person', 'me'), true, false],
  ['somebody else', ofFact('@person', 'you'), false, false],
  ['a key of a team that is led', ofKey('ofA'), true, true],
  ['a key of one’s own', ofKey('mine'), true, false],
  ['another key', ofKey('ofB'), false, false],
  ['a key that is gone', ofKey('gone'), false, false],
] as const) {
  test(`a budget of ${name} is ${isSeen ? '' : 'not '}seen`, () => {
    const canChange = canChangeBudget(SIGHT, { ...TOGETHER, scope }, findKey)
    assert.deepEqual([canSeeScope(SIGHT, scope, findKey), canChange], [isSeen, isChangeable])
    // What stops a whole team is not for those who lead it.
    const canBlock = canChangeBudget(SIGHT, { ...TOGETHER, scope, isBlocking: true }, findKey)
    assert.equal(canBlock, isChangeable && scope.kind === 'api_key')
    // What each of it has stops nobody else.
    const rule = { scope, isBlocking: true, each: 'key' } as const
    assert.equal(canChangeBudget(SIGHT, rule, findKey), isChangeable)
  })
}

test('of a limit that each has, everyone sees their own, and leads those of their teams', () => {
  const sees = (
    each: BudgetEach,
    member?: string,
    scope: BudgetScope = { kind: 'global' },
  ): boolean =>
    canSeeBudget(SIGHT, { scope, each, ...(member !== undefined && { member }) }, findKey)
  assert.deepEqual(
    ['ofA', 'mine', 'ofB', 'gone', undefined].map((member) => sees('key', member)),
    [true, true, false, false, false],
  )
  assert.deepEqual([sees('person', 'me'), sees('person', 'you')], [true, false])
  assert.deepEqual([sees('team', 'a'), sees('team', 'b'), sees('team', 'c')], [true, true, false])
  // Members know what their team comes to, and not what each of it does.
  const ofTeam = (id: string) => ofFact('@team', id)
  assert.deepEqual(
    [sees('key', undefined, ofTeam('a')), sees('key', undefined, ofTeam('b'))],
    [true, false],
  )
})

test('unusual spend is seen of teams and keys, and never of a model or a tag', () => {
  const sees = (kind: 'api_key' | 'model' | 'dim', name: string): boolean =>
    canSeeSpender(SIGHT, { kind, name }, findKey)
  assert.deepEqual(
    [sees('api_key', 'ofA'), sees('api_key', 'ofB'), sees('model', 'p/m')],
    [true, false, false],
  )
  assert.deepEqual(
    ['@team=a', '@team=c', '@person=me', 'team=a', '=a', 'a'].map((name) => sees('dim', name)),
    [true, false, true, false, false, false],
  )
})
