import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { z } from 'zod'
import { openApi, openApiBeside } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { Caller } from '../../core/caller.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import {
  budgetSchema,
  memberListSchema,
  memberSchema,
  teamPageSchema,
  teamSchema,
  userListSchema,
} from '../contract.ts'
import type { ErrorBody, TeamAnswer } from '../contract.ts'

const NOW = Date.parse('2026-03-19T12:00:00.000Z')

let api: OpenApi
let admin: string
let reader: string
let writer: string

before(async () => {
  api = await openApi(NOW)
  admin = await api.authorize('admin')
  reader = await api.authorize('read:keys')
  writer = await api.authorize('read:keys', 'write:keys')
})

after(() => api.close())

interface Asked {
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(place: string, body?: object, asked: Asked = {}) {
  const [method = '', path = ''] = place.split(' ')
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: asked.authorization ?? admin, ...asked.headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as unknown
  return { status: response.status, headers: response.headers, body: answer }
}

async function read<Schema extends z.ZodType>(
  schema: Schema,
  place: string,
  body?: object,
): Promise<z.output<Schema>> {
  const answer = await ask(place, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return schema.parse(answer.body)
}

async function refusal(place: string, body?: object, asked: Asked = {}): Promise<string> {
  const { status, body: answer } = await ask(place, body, asked)
  const { code, error } = answer as ErrorBody
  return `${status} ${code}: ${error}`
}

const make = (slug: string, more: object = {}): Promise<TeamAnswer> =>
  read(teamSchema, 'POST /v1/teams', { name: `Team ${slug}`, slug, ...more })

const invite = (email: string) =>
  api.settings.users.create({
    email,
    name: 'Ada',
    role: 'none',
    passwordHash: null,
    subject: null,
  })

test('a team is made, read by id or slug, and changed at the version that was seen', async () => {
  const department = await make('engineering')
  const made = await make('search', { parent_id: 'engineering', use_credentials: ['openai'] })
  assert.deepEqual([made.parent_id, made.parent], [department.id, 'Team engineering'])
  assert.deepEqual([made.keys, made.members, made.leads, made.status], [0, 0, 0, 'active'])
  const bySlug = await ask('GET /v1/teams/search', undefined, { authorization: reader })
  assert.deepEqual(bySlug.body, made)
  assert.equal(bySlug.headers.get('etag'), `"${made.version}"`)
  assert.deepEqual(await read(teamSchema, `GET /v1/teams/${made.id}`), made)
  const changed = await read(teamSchema, 'PATCH /v1/teams/search', { rate_limit_rpm: 600 })
  assert.deepEqual(changed, { ...made, rate_limit_rpm: 600, version: changed.version })
  const headers = { 'if-match': `"${made.version}"` }
  const late = await ask('PATCH /v1/teams/search', { note: 'late' }, { headers })
  assert.equal(late.status, 412)
})

test('what is wrong with a team is said by its member', async () => {
  await make('ads')
  for (const [body, expected] of [
    [{ name: 'x', slug: 'Not a slug' }, /slug must have 1 to 63 lower-case letters/],
    [{ name: 'x', slug: 'ads' }, /There is a team ads already/],
    [{ name: 'x', slug: 'x', parent_id: 'nowhere' }, /parent_id is of no team that is there/],
    [{ name: 'x', slug: 'x', use_credentials: ['opnai'] }, /no provider "opnai"/],
  ] as const) {
    assert.match(await refusal('POST /v1/teams', body), expected)
  }
  assert.match(await refusal('PATCH /v1/teams/ads', {}), /^400 .* changes nothing/)
  assert.match(await refusal('GET /v1/teams/nowhere'), /^404 not_found: There is no such team/)
})

test('teams come in pages, by name, and are found by status and what is sought', async () => {
  await make('zebra')
  await make('aardvark', { name: 'aardvark' })
  await read(teamSchema, 'POST /v1/teams/zebra/archive')
  const archived = await read(teamPageSchema, 'GET /v1/teams?status=archived')
  assert.deepEqual(
    archived.rows.map(({ slug, archived_at: at }) => [slug, at]),
    [['zebra', '2026-03-19T12:00:00.000Z']],
  )
  const first = await read(teamPageSchema, 'GET /v1/teams?limit=1')
  assert.equal(first.rows[0]?.slug, 'aardvark')
  const second = await read(teamPageSchema, `GET /v1/teams?limit=1&cursor=${first.next_cursor}`)
  assert.notEqual(second.rows[0]?.slug, 'aardvark')
  const found = await read(teamPageSchema, 'GET /v1/teams?search=AARD')
  assert.deepEqual([found.total, found.next_cursor], [1, null])
})

test('people are taken in by address or id, change their role, and leave', async () => {
  const { id } = await make('crew')
  const { id: userId } = await invite('ada@example.com')
  const add = (body: object) => read(memberSchema, `POST /v1/teams/${id}/members`, body)
  const member = await add({ email: 'Ada@Example.com' })
  assert.deepEqual(
    [member.user_id, member.role, member.source, member.keys],
    [userId, 'member', 'hand', 0],
  )
  assert.equal((await add({ user_id: userId, role: 'lead' })).role, 'lead')
  await api.settings.keys.create({ ...OPEN_KEY, name: 'x', teamId: id, personId: userId })
  const { rows } = await read(memberListSchema, 'GET /v1/teams/crew/members')
  assert.deepEqual(
    rows.map(({ email, role, keys }) => [email, role, keys]),
    [['ada@example.com', 'lead', 1]],
  )
  const team = await read(teamSchema, 'GET /v1/teams/crew')
  assert.deepEqual([team.keys, team.members, team.leads], [1, 1, 1])
  const left = await read(memberSchema, 'POST /v1/teams/crew/members/remove', { user_id: userId })
  assert.deepEqual(left, rows[0])
  assert.deepEqual((await read(memberListSchema, 'GET /v1/teams/crew/members')).rows, [])
  const again = await refusal('POST /v1/teams/crew/members/remove', { user_id: userId })
  assert.match(again, /^400 .*not in the team Team crew/)
})

test('the list of users has the teams of each, by name', async () => {
  const { id: userId } = await invite('many@example.com')
  const joined = [await make('zeta'), await make('alpha')]
  for (const [at, { id }] of joined.entries()) {
    const role = at === 0 ? 'lead' : 'member'
    await ask(`POST /v1/teams/${id}/members`, { user_id: userId, role })
  }
  const list = async () =>
    (await read(userListSchema, 'GET /v1/users')).rows.find(({ id }) => id === userId)?.teams
  assert.deepEqual(await list(), [
    { team_id: joined[1]?.id, name: 'Team alpha', role: 'member' },
    { team_id: joined[0]?.id, name: 'Team zeta', role: 'lead' },
  ])
  await ask('POST /v1/teams/zeta/archive')
  assert.deepEqual(
    (await list())?.map(({ name }) => name),
    ['Team alpha'],
  )
})

test('who cannot be taken in or out is said, and why', async () => {
  const { id: teamId } = await make('sso')
  const { id: userId } = await invite('sso@example.com')
  await api.settings.teams.join({ teamId, userId, role: 'member', source: 'oidc' })
  const path = 'POST /v1/teams/sso/members'
  assert.match(await refusal(path, {}), /one of email and user_id/)
  assert.match(await refusal(path, { email: 'a@b.c', user_id: 'user_1' }), /one of email/)
  assert.match(await refusal(path, { email: 'no@example.com' }), /email is of no user/)
  assert.match(await refusal(path, { user_id: 'user_1', role: 'boss' }), /role must be one of lead/)
  assert.match(await refusal(`${path}/remove`, { user_id: userId }), /by the identity provider/)
  await ask('POST /v1/teams/sso/archive')
  assert.match(await refusal(path, { user_id: userId }), /Team sso is archived/)
})

test('only administrators change a team, and only they and its leads who is in it', async () => {
  const { id: teamId } = await make('led')
  await invite('led@example.com')
  const body = { email: 'led@example.com' }
  const asked = { authorization: writer }
  assert.match(await refusal('POST /v1/teams', { name: 'x', slug: 'x' }, asked), /^403/)
  assert.match(await refusal('PATCH /v1/teams/led', { note: 'x' }, asked), /^403/)
  assert.match(await refusal(`POST /v1/teams/${teamId}/members`, body, asked), /^403 .*its leads/)
  const reading = { authorization: reader }
  assert.match(await refusal(`POST /v1/teams/led/members`, body, reading), /^403 .*write:keys/)
})

test('a lead takes people in and out of the team that they lead, and of no other', async () => {
  const { id: theirs } = await make('theirs')
  const { id: others } = await make('others')
  const { id: userId } = await invite('lead@example.com')
  await invite('new@example.com')
  await ask('POST /v1/teams/theirs/members', { user_id: userId, role: 'lead' })
  await ask('POST /v1/teams/others/members', { user_id: userId })
  const caller: Caller = {
    kind: 'session',
    id: 'session_1',
    name: 'lead@example.com',
    userId,
    scopes: ['read:keys', 'write:keys'],
    sight: { teams: [theirs], joined: [others], totals: [], personId: userId },
  }
  const beside = await openApiBeside(api, () => ({ caller }))
  const body = JSON.stringify({ email: 'new@example.com' })
  const add = (slug: string) =>
    fetch(`${beside.url}/v1/teams/${slug}/members`, { method: 'POST', body })
  assert.deepEqual([(await add('theirs')).status, (await add('others')).status], [200, 403])
  await beside.close()
})

test('every change is in the audit log, with what it was about', async () => {
  await make('audited')
  await invite('audit@example.com')
  await ask('POST /v1/teams/audited/members', { email: 'audit@example.com' })
  await ask('POST /v1/teams/audited/archive')
  await ask('POST /v1/teams/audited/restore')
  const { body } = await ask('GET /v1/audit?noun=team&limit=5')
  const { rows } = body as { rows: { action: string; actor: { name: string } }[] }
  assert.deepEqual(
    rows.map(({ action, actor }) => [action, actor.name]),
    ['restore', 'archive', 'leave', 'join', 'create'].map((each) => [`team.${each}`, 'test']),
  )
})

test('a team gives each of its keys a budget, which its leads live within', async () => {
  const team = await make('with-budget')
  const place = `/v1/teams/${team.slug}/key-budget`
  assert.equal(team.key_budget, null)
  const set = await read(teamSchema, `POST ${place}`, { limit_usd: 50, blocking: true })
  const { budget_id: id, ...terms } = set.key_budget ?? { budget_id: '' }
  assert.deepEqual(terms, { limit_usd: 50, period: 'month', blocking: true })
  const changed = await read(teamSchema, `POST ${place}`, { limit_usd: '60.5', period: 'week' })
  const now = { budget_id: id, limit_usd: 60.5, period: 'week', blocking: true }
  assert.deepEqual(changed.key_budget, now)
  const rule = await read(budgetSchema, `GET /v1/budgets/${id}`)
  assert.deepEqual(
    [rule.name, rule.scope, rule.each, rule.default_of],
    ['Each key of Team with-budget', `team=${team.id}`, 'key', team.id],
  )
  for (const change of [{ scope: 'global' }, { each: 'person' }]) {
    const answered = await refusal(`PATCH /v1/budgets/${id}`, change)
    assert.match(answered, /^400 \w+: It is what a team gives each of its keys/)
  }
  const finance = { authorization: await api.authorize('write:budgets') }
  assert.equal((await ask(`POST ${place}`, { limit_usd: 70 }, finance)).status, 200)
  assert.match(await refusal(`POST ${place}`, {}), /limit_usd/)
  assert.match(await refusal(`POST ${place}`, { limit_usd: 70 }, { authorization: writer }), /^403/)
  assert.equal((await read(teamSchema, `DELETE ${place}`)).key_budget, null)
  assert.equal((await ask(`GET /v1/budgets/${id}`)).status, 404)
  assert.equal((await read(teamSchema, `DELETE ${place}`)).key_budget, null)
})
