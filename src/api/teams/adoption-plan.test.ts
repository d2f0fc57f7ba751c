import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPEN_KEY } from '../../resources/codecs.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { planAdoption, toSlug } from './adoption-plan.ts'
import type { KnownTeams } from './team-directory.ts'

for (const [value, slug] of [
  ['search', 'search'],
  ['Search EU', 'search-eu'],
  ['R&D Künstliche', 'r-d-kunstliche'],
  ['--a__b--', 'a-b'],
  ['42', '42'],
  ['日本', ''],
  ['x'.repeat(62) + '-y', 'x'.repeat(62)],
] as const) {
  test(`the short name of ${value.slice(0, 20)} is ${slug.slice(0, 20) || 'none'}`, () => {
    assert.equal(toSlug(value), slug)
  })
}

const NOBODY: KnownTeams = { teams: [], byId: new Map(), bySlug: new Map(), members: new Map() }

function keyOf(name: string, change: Partial<ApiKey>): ApiKey {
  const secret = { secretHash: '', oldSecret: null, revokedAt: null, pausedAt: null }
  return { ...OPEN_KEY, id: `svc_k_${name}`, name, createdAt: 0, version: 1, ...secret, ...change }
}

function plan(dim: string, ...keys: readonly ApiKey[]) {
  const { teams, keys: planned } = planAdoption(dim, { keys, known: NOBODY, nowMs: 0 })
  return {
    teams: teams.map(({ slug, name, state }) => `${slug} ${name} ${state}`),
    keys: planned.map(({ key, state, why }) => `${key.name} ${state} ${why ?? ''}`.trim()),
  }
}

test('a personal key waits until its person is in the team', () => {
  const lockedDims = { team: 'Search' }
  const personal = keyOf('ada', { lockedDims, personId: 'user_0123456789abcdef' })
  const why = 'left its person is not in the team: add them, then run it again'
  assert.deepEqual(plan('team', personal), {
    teams: ['search Search left'],
    keys: [`ada ${why}`],
  })
  assert.deepEqual(plan('team', personal, keyOf('bot', { lockedDims })), {
    teams: ['search Search new'],
    keys: [`ada ${why}`, 'bot moved'],
  })
})

test('a name that every object has is no dimension of a key', () => {
  const key = keyOf('a', { lockedDims: { team: 'x' }, defaultDims: { app: 'y' } })
  assert.deepEqual(plan('constructor', key), { teams: [], keys: [] })
  assert.deepEqual(plan('toString', key), { teams: [], keys: [] })
  assert.deepEqual(plan('app', key).teams, [])
})
