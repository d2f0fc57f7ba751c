import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { TeamSettings } from '../../core/teams/team.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'
import {
  changedKeySchema,
  createdKeySchema,
  keyPageSchema,
  keyRowSchema,
  teamSchema,
} from '../contract.ts'
import type { CreatedKeyAnswer, ErrorBody } from '../contract.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')

let api: OpenApi
let admin: string

before(async () => {
  api = await openApi(NOW)
  admin = await api.authorize('admin')
})

after(() => api.close())

async function ask(place: string, body?: object) {
  const [method = '', path = ''] = place.split(' ')
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: admin },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

async function create(body: object): Promise<CreatedKeyAnswer> {
  const answer = await ask('POST /v1/keys', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return createdKeySchema.parse(answer.body)
}

async function refusal(place: string, body: object): Promise<string> {
  const { status, body: answer } = await ask(place, body)
  assert.equal(status, 400, JSON.stringify(answer))
  return (answer as ErrorBody).error
}

const team = (slug: string, limits: Partial<TeamSettings> = {}) =>
  api.settings.teams.create({ ...TEAM_CODEC.defaults, name: `Team ${slug}`, slug, ...limits })

async function member(email: string, teamId: string) {
  const { users, teams } = api.settings
  const name = 'Ada'
  const user = await users.create({ email, name, role: 'none', passwordHash: null, subject: null })
  await teams.join({ teamId, userId: user.id, role: 'member', source: 'hand' })
  return user
}

test('a key is of a team and a person by any of their names, and keeps their ids', async () => {
  const { id: teamId } = await team('search')
  const { id: personId } = await member('ada@example.com', teamId)
  const owners = { team_id: 'search', person_id: 'Ada@example.com' }
  const made = await create({ name: 'laptop', ...owners })
  assert.deepEqual([made.team_id, made.person_id], [teamId, personId])
  const row = keyRowSchema.parse((await ask(`GET /v1/keys/${made.id}`)).body)
  assert.deepEqual([row.team, row.person, row.warnings], ['Team search', 'ada@example.com', []])
  await create({ name: 'nobody’s' })
  for (const search of [
    `team=search`,
    `team=${teamId}&person=ada@example.com`,
    `person=${personId}`,
  ]) {
    const page = keyPageSchema.parse((await ask(`GET /v1/keys?${search}`)).body)
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      [made.id],
      search,
    )
  }
})

test('a team or person that is not there is named by its member, and so is one that does not fit', async () => {
  await team('fits')
  const other = await team('other')
  await member('other@example.com', other.id)
  const make = (body: object) => refusal('POST /v1/keys', { name: 'x', ...body })
  assert.match(await make({ team_id: 'nowhere' }), /^team_id is of no team/)
  assert.match(await make({ person_id: 'user_1' }), /^person_id is of no user/)
  const foreign = { team_id: 'fits', person_id: 'other@example.com' }
  assert.match(await make(foreign), /^person_id: They are not in the team Team fits/)
  assert.match(await refusalOfList('team=nowhere'), /^Parameter team is of no team/)
  assert.match(await refusalOfList('person=no@example.com'), /^Parameter person is of no user/)
})

const refusalOfList = (search: string) => refusal(`GET /v1/keys?${search}`, undefined as never)

test('a new key has what its team allows, and no more', async () => {
  const limits = { allowedModels: ['openai/*'], requiredDims: ['app'], keyDaysMax: 30 }
  await team('tight', { ...limits, rateLimitRpm: 600, useCredentials: ['openai'] })
  const made = await create({ name: 'x', team_id: 'tight' })
  assert.deepEqual(made.allowed_models, ['openai/*'])
  assert.deepEqual([made.required_dims, made.use_credentials], [['app'], ['openai']])
  assert.equal(made.rate_limit_rpm, 600)
  assert.equal(made.expires_at, '2026-04-18T12:00:00.000Z')
  const beyond = { allowed_models: ['*'], rate_limit_rpm: null, expires_at: null }
  assert.equal(
    await refusal('POST /v1/keys', { name: 'x', team_id: 'tight', ...beyond }),
    [
      'allowed_models: The team Team tight allows openai/* at most.',
      'rate_limit_rpm: The team Team tight allows 600 calls a minute at most.',
      'expires_at: A key of the team Team tight expires within 30 days.',
    ].join(' '),
  )
})

test('a limit that comes later warns, and refuses what a change names', async () => {
  const { id: teamId } = await team('later')
  const { id } = await create({ name: 'x', team_id: 'later' })
  await api.settings.teams.update(teamId, { rateLimitRpm: 60, allowedProviders: ['openai'] })
  const warnings = [
    'Allowed providers: The team Team later allows openai at most.',
    'Calls per minute: The team Team later allows 60 calls a minute at most.',
  ]
  assert.deepEqual(keyRowSchema.parse((await ask(`GET /v1/keys/${id}`)).body).warnings, warnings)
  const counted = async () => teamSchema.parse((await ask('GET /v1/teams/later')).body)
  assert.equal((await counted()).keys_beyond_limits, 1)
  const renamed = await ask(`PATCH /v1/keys/${id}`, { name: 'y' })
  assert.deepEqual(changedKeySchema.parse(renamed.body).warnings, warnings)
  assert.match(await refusal(`PATCH /v1/keys/${id}`, { rate_limit_rpm: 61 }), /60 calls a minute/)
  const within = { rate_limit_rpm: 60, allowed_providers: ['openai'] }
  assert.equal((await ask(`PATCH /v1/keys/${id}`, within)).status, 200)
  assert.equal((await counted()).keys_beyond_limits, 0)
})

test('a key that moves is held against all limits of its new team', async () => {
  await team('strict', { keyDaysMax: 1 })
  const { id } = await create({ name: 'x' })
  const move = { team_id: 'strict' }
  assert.match(await refusal(`PATCH /v1/keys/${id}`, move), /^expires_at: .* within 1 day\.$/)
  const moved = await ask(`PATCH /v1/keys/${id}`, { ...move, expires_at: '2026-03-20T12:00:00Z' })
  assert.equal(moved.status, 200)
  const back = await ask(`PATCH /v1/keys/${id}`, { team_id: null, expires_at: null })
  assert.equal(changedKeySchema.parse(back.body).team_id, null)
})

test('no key is made or moved into an archived team; those that are there can be changed', async () => {
  const { id: teamId } = await team('gone')
  const { id: personId } = await member('gone@example.com', teamId)
  const { id } = await create({ name: 'x', team_id: 'gone', person_id: personId })
  const { id: outside } = await create({ name: 'y' })
  await api.settings.teams.archive(teamId)
  const refused = /^team_id: The team Team gone is archived/
  assert.match(await refusal('POST /v1/keys', { name: 'x', team_id: 'gone' }), refused)
  assert.match(await refusal(`PATCH /v1/keys/${outside}`, { team_id: 'gone' }), refused)
  const same = { name: 'z', team_id: 'gone', person_id: personId }
  assert.equal((await ask(`PATCH /v1/keys/${id}`, same)).status, 200)
})
