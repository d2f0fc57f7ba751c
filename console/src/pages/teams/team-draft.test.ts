import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEAM_SLUG } from '../../../../src/core/teams/team.ts'
import { TEAM_FORM, toSlug, withName } from './team-draft.ts'

test('a name suggests a short name that the API takes', () => {
  const cases = [
    ['Search & Ranking (EU)', 'search-ranking-eu'],
    ['  Ünïcode Größe ', 'unicode-gro-e'],
    ['-- 7 --', '7'],
    [`${'long '.repeat(20)}`, 'long-'.repeat(13).slice(0, 63).replace(/-$/, '')],
  ] as const
  for (const [name, slug] of cases) {
    assert.equal(toSlug(name), slug)
    assert.match(slug, TEAM_SLUG)
  }
  assert.equal(toSlug('検索'), '')
})

test('the short name follows the name until it is typed', () => {
  const first = { ...TEAM_FORM.empty, ...withName(TEAM_FORM.empty, 'Search') }
  assert.equal(first.slug, 'search')
  assert.equal(withName(first, 'Search EU').slug, 'search-eu')
  assert.equal(withName({ ...first, slug: 'find' }, 'Search EU').slug, 'find')
})
