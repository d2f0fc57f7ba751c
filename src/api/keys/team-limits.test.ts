import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TeamSettings } from '../../core/teams/team.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../resources/codecs.ts'
import type { KeySettings } from '../../resources/codecs.ts'
import { listChangeFaults, listLimitFaults, toLimitWarning, withTeamLimits } from './team-limits.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const DAY_MS = 86_400_000

const OPEN_TEAM: TeamSettings = { ...TEAM_CODEC.defaults, name: 'Search', slug: 'search' }
const PLAIN_KEY: KeySettings = { ...OPEN_KEY, name: 'x' }
type TeamChange = Partial<TeamSettings>

const MODELS = { allowedModels: ['openai/*', 'haiku*'] }
const SLOW = { rateLimitRpm: 600 }
const SHORT = { keyDaysMax: 30 }

const CASES: readonly (readonly [
  team: TeamChange,
  key: Partial<KeySettings>,
  fault: string | null,
])[] = [
  [{}, {}, null],
  [{}, { allowedModels: ['any/*'], rateLimitRpm: 9, expiresAt: NOW }, null],
  [MODELS, { allowedModels: ['openai/gpt-4o'] }, null],
  [MODELS, { allowedModels: ['OpenAI/gpt-*', 'azure:openai/gpt-4o', 'haiku-4'] }, null],
  [
    MODELS,
    { allowedModels: [] },
    'allowed_models: The team Search allows openai/*, haiku* at most.',
  ],
  [
    MODELS,
    { allowedModels: ['openai/gpt-4o', '*'] },
    'allowed_models: The team Search allows openai/*, haiku* at most.',
  ],
  [
    MODELS,
    { allowedModels: ['gpt-4o'] },
    'allowed_models: The team Search allows openai/*, haiku* at most.',
  ],
  [
    { allowedModels: ['azure:openai/*'] },
    { allowedModels: ['openai/*'], allowedProviders: ['azure'] },
    null,
  ],
  [
    { allowedModels: ['azure:openai/*'] },
    { allowedModels: ['openai/*'] },
    'allowed_models: The team Search allows azure:openai/* at most.',
  ],
  [{ allowedProviders: ['openai', 'azure'] }, { allowedProviders: ['azure'] }, null],
  [
    { allowedProviders: ['openai', 'azure'] },
    {},
    'allowed_providers: The team Search allows openai, azure at most.',
  ],
  [
    { allowedProviders: ['openai'] },
    { allowedProviders: ['openai', 'azure'] },
    'allowed_providers: The team Search allows openai at most.',
  ],
  [{ useCredentials: ['openai'] }, { useCredentials: ['openai'] }, null],
  [
    { useCredentials: ['openai'] },
    { useCredentials: ['azure'] },
    'use_credentials: The team Search allows openai at most.',
  ],
  [{}, { useCredentials: ['openai'] }, 'use_credentials: The team Search allows none at most.'],
  [{ requiredDims: ['app'] }, { requiredDims: ['env', 'app'] }, null],
  [
    { requiredDims: ['app', 'env'] },
    { requiredDims: ['env'] },
    'required_dims: The team Search requires app, env.',
  ],
  [SLOW, { rateLimitRpm: 600 }, null],
  [
    SLOW,
    { rateLimitRpm: 601 },
    'rate_limit_rpm: The team Search allows 600 calls a minute at most.',
  ],
  [
    SLOW,
    { rateLimitRpm: null },
    'rate_limit_rpm: The team Search allows 600 calls a minute at most.',
  ],
  [SHORT, { expiresAt: NOW + 30 * DAY_MS }, null],
  [
    SHORT,
    { expiresAt: NOW + 30 * DAY_MS + 1 },
    'expires_at: A key of the team Search expires within 30 days.',
  ],
  [
    { keyDaysMax: 1 },
    { expiresAt: null },
    'expires_at: A key of the team Search expires within 1 day.',
  ],
]

describe('a key is within the limits of its team, or told by field what is not', () => {
  for (const [team, key, fault] of CASES) {
    test(`${JSON.stringify(team)} and ${JSON.stringify(key)}`, () => {
      const found = listLimitFaults({ ...OPEN_TEAM, ...team }, { ...PLAIN_KEY, ...key }, NOW)
      assert.deepEqual(
        found.map(({ field, text }) => `${field}: ${text}`),
        fault === null ? [] : [fault],
      )
    })
  }
})

const TIGHT = {
  ...OPEN_TEAM,
  allowedModels: ['openai/*'],
  allowedProviders: ['openai', 'azure'],
  useCredentials: ['openai', 'azure'],
  requiredDims: ['app'],
  rateLimitRpm: 600,
  keyDaysMax: 30,
}

test('what is left out of a new key is what its team allows, and it is within', () => {
  const filled = withTeamLimits({ name: 'x', required_dims: ['env'] }, TIGHT, NOW)
  assert.deepEqual(filled, {
    name: 'x',
    allowed_models: ['openai/*'],
    allowed_providers: ['openai', 'azure'],
    use_credentials: ['openai', 'azure'],
    required_dims: ['env', 'app'],
    rate_limit_rpm: 600,
    expires_at: '2026-04-18T12:00:00.000Z',
  })
})

test('what a new key says itself stays, and no credential is of a provider that it may not call', () => {
  const given = {
    allowed_models: ['openai/gpt-4o'],
    allowed_providers: ['azure'],
    rate_limit_rpm: null,
    expires_at: null,
  }
  assert.deepEqual(withTeamLimits(given, TIGHT, NOW), {
    ...given,
    use_credentials: ['azure'],
    required_dims: ['app'],
  })
})

test('a team without limits leaves a new key as it is', () => {
  assert.deepEqual(withTeamLimits({}, OPEN_TEAM, NOW), {
    allowed_models: [],
    allowed_providers: [],
    use_credentials: [],
    required_dims: [],
    rate_limit_rpm: null,
  })
})

test('a key that a new limit left behind is judged by what a change names or breaks', () => {
  const before = {
    ...PLAIN_KEY,
    requiredDims: ['app'],
    allowedProviders: ['openai'],
    expiresAt: NOW,
  }
  const judge = (change: Partial<KeySettings>, named: readonly string[]) =>
    listChangeFaults(TIGHT, { before, after: { ...before, ...change }, named }, NOW).map(
      ({ field }) => field,
    )
  assert.deepEqual(judge({}, ['name']), [])
  assert.deepEqual(judge({ rateLimitRpm: 700 }, ['rate_limit_rpm']), ['rate_limit_rpm'])
  assert.deepEqual(judge({ rateLimitRpm: 500 }, ['rate_limit_rpm']), [])
  assert.deepEqual(judge({ requiredDims: [] }, ['required_dims']), ['required_dims'])
})

test('a change of providers is refused where it takes models beyond the limit', () => {
  const team = { ...OPEN_TEAM, allowedModels: ['azure:openai/*'] }
  const before = { ...PLAIN_KEY, allowedModels: ['openai/*'], allowedProviders: ['azure'] }
  const after = { ...before, allowedProviders: ['azure', 'openai'] }
  const faults = listChangeFaults(team, { before, after, named: ['allowed_providers'] }, NOW)
  assert.deepEqual(faults.map(toLimitWarning), [
    'Allowed models: The team Search allows azure:openai/* at most.',
  ])
})
