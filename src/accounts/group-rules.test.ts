import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Team } from '../core/teams/team.ts'
import type { UserRole } from '../core/user.ts'
import { TEAM_CODEC } from '../resources/codecs.ts'
import { applyRules, decideRole, matchGroup, toGroups } from './group-rules.ts'
import type { GroupRule } from './sign-in-options.ts'

const toTeam = (slug: string, change: Partial<Team> = {}): Team => ({
  ...TEAM_CODEC.fromNew({ name: slug, slug }),
  id: `team_${slug}`,
  createdAt: 1,
  archivedAt: null,
  version: 1,
  ...change,
})

const TEAMS = [
  toTeam('search', { name: 'Search & Ranking' }),
  toTeam('ads'),
  toTeam('old', { archivedAt: 2 }),
]

const rule = (group: string, change: Partial<GroupRule>): GroupRule => ({
  group,
  team: null,
  role: 'member',
  companyRole: null,
  ...change,
})

const RULES = [
  rule('weir-search', { team: 'search' }),
  rule('weir-*-leads', { team: '*', role: 'lead' }),
  rule('weir-*', { team: '*' }),
  rule('finance', { companyRole: 'finance' }),
  rule('Platform Admins', { companyRole: 'admin', team: 'ads' }),
  rule('gone', { team: 'no-such-team' }),
]

test('a pattern has one star, which stands for any text', () => {
  for (const [pattern, group, star] of [
    ['finance', 'finance', ''],
    ['finance', 'Finance', null],
    ['weir-*', 'weir-search', 'search'],
    ['weir-*', 'weir-', ''],
    ['weir-*', 'aweir-x', null],
    ['*-leads', 'search-leads', 'search'],
    ['a*a', 'a', null],
    ['a*a', 'aa', ''],
    ['*', 'anything', 'anything'],
    ['CN=weir-*,OU=Groups', 'CN=weir-ads,OU=Groups', 'ads'],
  ] as const) {
    assert.equal(matchGroup(pattern, group), star, `${pattern} ${group}`)
  }
})

test('groups come as a text, as texts, or as objects with a name, a value or both', () => {
  for (const [claim, groups] of [
    ['one', [['one']]],
    [
      ['a', 'b'],
      [['a'], ['b']],
    ],
    [
      [{ name: 'a' }, { value: '0-1', display: 'b' }],
      [['a'], ['b', '0-1']],
    ],
    [[1, null, '', { id: 'x' }, ['a'], 'x'.repeat(257), 'b'], [['b']]],
    [undefined, []],
    [null, []],
    [{ name: 'only' }, [['only']]],
  ] as const) {
    assert.deepEqual(toGroups(claim), groups, JSON.stringify(claim))
  }
  assert.equal(toGroups(Array.from({ length: 5000 }, (_, at) => `g${at}`)).length, 2000)
})

test('all rules that fit apply, and the greater role wins', () => {
  const cases: readonly (readonly [string[], [string, string][], UserRole | null, string[]])[] = [
    [[], [], null, []],
    [['weir-search'], [['team_search', 'member']], null, []],
    [['weir-search-leads', 'weir-search'], [['team_search', 'lead']], null, []],
    [['weir-search', 'weir-search-leads'], [['team_search', 'lead']], null, []],
    [['weir-ADS'], [['team_ads', 'member']], null, []],
    [['finance', 'all-staff'], [], 'finance', ['all-staff']],
    [['finance', 'Platform Admins'], [['team_ads', 'member']], 'admin', []],
    [['weir-nobody', 'gone', 'weir-old'], [], null, ['gone', 'weir-nobody', 'weir-old']],
    [['search'], [], null, ['search']],
  ]
  for (const [groups, teams, companyRole, unknown] of cases) {
    const given = applyRules({ groups: toGroups(groups), rules: RULES, teams: TEAMS })
    const found = [[...given.teams], given.companyRole, given.unknown]
    assert.deepEqual(found, [teams, companyRole, unknown], groups.join())
  }
})

test('a group of the directory without a rule gives the team with its name, or its slug', () => {
  for (const [groups, teams] of [
    [[['Search & ranking']], [['team_search', 'member']]],
    [[['SEARCH']], [['team_search', 'member']]],
    [[['old']], []],
    // A rule is about it: its name says nothing more.
    [[['ads', 'gone']], []],
    [[['whatever', 'weir-search-leads']], [['team_search', 'lead']]],
  ] as const) {
    const given = applyRules({ groups, rules: RULES, teams: TEAMS, isByName: true })
    assert.deepEqual([...given.teams], teams, JSON.stringify(groups))
  }
})

test('what the configuration gives it takes, and what a person set stays', () => {
  const both: UserRole[] = ['admin', 'viewer']
  for (const [current, given, named, preset, role] of [
    // Somebody new.
    [null, null, [], null, null],
    [null, null, [], 'none', 'none'],
    [null, 'viewer', both, 'none', 'viewer'],
    // No rule is about roles.
    ['admin', null, [], null, 'admin'],
    ['none', null, [], 'viewer', 'none'],
    // The role is one that the configuration gives.
    ['admin', 'viewer', both, null, 'viewer'],
    ['viewer', 'admin', both, null, 'admin'],
    ['viewer', null, both, null, null],
    ['finance', null, ['finance'], 'none', 'none'],
    // It is another: an administrator set it.
    ['admin', null, ['finance'], 'none', 'admin'],
    ['admin', 'finance', ['finance'], null, 'admin'],
    ['none', 'finance', ['finance'], null, 'finance'],
    ['none', null, ['finance'], null, 'none'],
  ] as const) {
    const question = { current, given, named: new Set(named), preset }
    assert.equal(decideRole(question), role, JSON.stringify([current, given, named]))
  }
})
