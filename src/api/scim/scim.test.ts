// The messages are those of the public documentation of Entra and Okta, with other names.
// https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
// https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { SIGN_IN } from '../../../test/fakes/sign-in-options.ts'
import { openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { KEY_CODEC, TEAM_CODEC } from '../../resources/codecs.ts'
import type { Json } from './scim-attributes.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

const ENTRA_USER = {
  schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Grace@corp.onmicrosoft.com',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'grace@corp.example' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
  roles: [],
}
const OKTA_USER = {
  schemas: [USER],
  userName: 'Alan@corp.example',
  name: { givenName: 'Alan', familyName: 'Turing' },
  emails: [{ primary: true, value: 'alan@corp.example', type: 'work' }],
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
}

let scene: SignInScene
let token: string

beforeEach(async () => {
  const rule = { team: 'search', role: 'lead', companyRole: null } as const
  const groups = [{ ...rule, group: 'weir-search-leads' }]
  scene = await openSignInScene({ signIn: { ...SIGN_IN, groups } })
  token = await scene.authorize('scim')
})

afterEach(() => scene.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(place: string, { body, headers = {} }: Sent = {}): Promise<Answer> {
  const [method = '', path = ''] = place.split(/ (.*)/)
  const response = await fetch(`${scene.url}/scim/v2${path}`, {
    method,
    headers: { authorization: token, 'content-type': 'application/scim+json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const read = (text === '' ? {} : JSON.parse(text)) as Json
  if (text !== '') assert.equal(response.headers.get('content-type'), 'application/scim+json')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  return { status: response.status, headers: response.headers, body: read }
}

async function make(path: '/Users' | '/Groups', body: object): Promise<string> {
  const made = await ask(`POST ${path}`, { body })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body['id'] as string
}

const operations = (...list: readonly object[]) => ({ schemas: [PATCH], Operations: list })
const patch = (place: string, ...list: readonly object[]) =>
  ask(`PATCH ${place}`, { body: operations(...list) })
const find = (filter: string, kind = 'Users') =>
  ask(`GET /${kind}?filter=${encodeURIComponent(filter)}`)

async function addTeam(slug: string, name = slug): Promise<string> {
  return (await scene.settings.teams.create(TEAM_CODEC.fromNew({ name, slug }))).id
}

async function teamsOf(userId: string): Promise<string[]> {
  const memberships = await scene.settings.teams.listMemberships(userId)
  return memberships.map(({ teamId, role, source }) => `${teamId} ${role} ${source}`)
}

test('Entra looks for a user, makes one, changes one and takes one away', async () => {
  const wanted = 'userName eq "grace@CORP.onmicrosoft.com"'
  const none = await find(wanted)
  assert.deepEqual([none.status, none.body['totalResults'], none.body['Resources']], [200, 0, []])
  const made = await ask('POST /Users', { body: ENTRA_USER })
  const { id, meta } = made.body as { id: string; meta: Json }
  assert.equal(made.headers.get('location'), `${scene.url}/scim/v2/Users/${id}`)
  assert.equal(meta['location'], made.headers.get('location'))
  assert.equal(meta['version'], made.headers.get('etag'))
  assert.deepEqual(
    { ...made.body, meta: null },
    {
      schemas: [USER],
      id,
      externalId: ENTRA_USER.externalId,
      userName: 'Grace@corp.onmicrosoft.com',
      displayName: 'Grace Hopper',
      name: { formatted: 'Grace Hopper' },
      emails: [{ value: 'grace@corp.example', type: 'work' }],
      active: true,
      meta: null,
    },
  )
  assert.deepEqual((await find(wanted)).body['Resources'], [made.body])
  assert.deepEqual((await ask(`GET /Users/${id}`)).body, made.body)
  const changed = await patch(
    `/Users/${id}`,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'g.hopper@corp.example' },
    { op: 'Replace', path: 'name.familyName', value: 'Murray Hopper' },
    { op: 'Add', path: 'title', value: 'Rear admiral' },
  )
  const user = await scene.settings.users.find({ id })
  assert.ok(user)
  assert.equal(changed.status, 200)
  assert.deepEqual(
    [user.email, user.name, user.role],
    ['g.hopper@corp.example', 'Grace Hopper', 'none'],
  )
  await patch(`/Users/${id}`, { op: 'Replace', path: 'displayName', value: 'Grace M. Hopper' })
  const renamed = await patch(`/Users/${id}`, {
    op: 'Replace',
    path: 'userName',
    value: '5b50642d@corp.onmicrosoft.com',
  })
  assert.deepEqual(
    [renamed.body['userName'], renamed.body['displayName'], renamed.body['emails']],
    ['5b50642d@corp.onmicrosoft.com', 'Grace M. Hopper', [{ value: user.email, type: 'work' }]],
  )
  const disabled = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
  assert.equal(disabled.body['active'], false)
  assert.equal((await ask(`DELETE /Users/${id}`)).status, 204)
  const gone = await ask(`GET /Users/${id}`)
  assert.deepEqual(
    [gone.status, gone.body],
    [404, { schemas: [ERROR], status: '404', detail: 'There is no such resource.' }],
  )
})

test('Okta makes a user, writes one whole, and takes on those who were here before', async () => {
  const id = await make('/Users', OKTA_USER)
  const alan = await scene.settings.users.find({ id })
  assert.deepEqual(
    [alan?.email, alan?.name, alan?.passwordHash],
    ['alan@corp.example', 'Alan Turing', null],
  )
  const whole = {
    schemas: [USER],
    id,
    externalId: OKTA_USER.externalId,
    active: true,
    groups: [],
    userName: 'alan.t@corp.example',
    name: { givenName: 'Alan', middleName: 'M.', familyName: 'Mathison' },
    emails: [{ primary: true, value: 'alan.t@corp.example', type: 'work' }],
    meta: { resourceType: 'User' },
  }
  const put = await ask(`PUT /Users/${id}`, { body: whole })
  assert.deepEqual(
    [put.status, put.body['displayName'], put.body['emails']],
    [200, 'Alan Mathison', [{ value: 'alan.t@corp.example', type: 'work' }]],
  )
  assert.equal(
    (await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status,
    200,
  )
  assert.notEqual((await scene.settings.users.find({ id }))?.disabledAt, null)
  const byPage = `${encodeURIComponent('userName eq "vera@example.com"')}&startIndex=1&count=100`
  const { body } = await ask(`GET /Users?filter=${byPage}`)
  const [vera] = body['Resources'] as Json[]
  assert.equal(vera?.['id'], scene.viewer.id)
  const taken = await patch(`/Users/${scene.viewer.id}`, {
    op: 'replace',
    value: { externalId: '00u-vera', displayName: 'Vera R.' },
  })
  assert.equal(taken.body['externalId'], '00u-vera')
  const after = await scene.settings.users.find({ externalId: '00u-vera' })
  assert.deepEqual(
    [after?.id, after?.role, after?.name, after?.email],
    [scene.viewer.id, 'viewer', 'Vera R.', 'vera@example.com'],
  )
})

test('the address of a user is the user name, unless another was said', async () => {
  const id = await make('/Users', { userName: 'Ada.K@corp.example' })
  const emailOf = async () => (await scene.settings.users.find({ id }))?.email
  assert.equal(await emailOf(), 'ada.k@corp.example')
  await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'ada.l@corp.example' })
  assert.equal(await emailOf(), 'ada.l@corp.example')
  const emails = [{ value: 'countess@corp.example' }]
  await patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: emails })
  await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'ada.m@corp.example' })
  assert.equal(await emailOf(), 'countess@corp.example')
  const nobody = await ask('POST /Users', { body: { userName: 'no address' } })
  assert.deepEqual([nobody.status, nobody.body['scimType']], [400, 'invalidValue'])
})

test('who is deactivated is signed out and their personal keys paused, and only those resume', async () => {
  const { settings, viewer } = scene
  const browser = await scene.signIn(viewer.email)
  const add = async (name: string, personId: string | null) =>
    (await settings.keys.create(KEY_CODEC.fromNew({ name, person_id: personId }))).key.id
  const [own, paused] = [await add('own', viewer.id), await add('paused', viewer.id)]
  const service = await add('service', null)
  await settings.keys.pause(paused)
  const running = async () =>
    (await settings.keys.list()).filter(({ pausedAt }) => pausedAt === null).map(({ id }) => id)
  await patch(`/Users/${viewer.id}`, { op: 'replace', value: { active: false } })
  assert.equal((await browser.ask('/v1/session')).status, 401)
  assert.deepEqual(await running(), [service])
  await patch(`/Users/${viewer.id}`, { op: 'Replace', path: 'active', value: 'True' })
  assert.deepEqual((await running()).toSorted(), [own, service].toSorted())
  assert.equal((await ask(`DELETE /Users/${viewer.id}`)).status, 204)
  assert.deepEqual(await running(), [service])
})

test('the last administrator is neither deactivated nor removed', async () => {
  const { id } = scene.admin
  const off = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  const away = await ask(`DELETE /Users/${id}`)
  for (const { status, body } of [off, away]) {
    assert.deepEqual([status, body['scimType']], [400, 'invalidValue'])
    assert.match(String(body['detail']), /only administrator/)
  }
})

test('groups are kept as they were put, and give teams by a rule, or by name', async () => {
  const [search, ads] = [await addTeam('search'), await addTeam('ads', 'Ads & Offers')]
  const grace = await make('/Users', ENTRA_USER)
  const alan = await make('/Users', OKTA_USER)
  const leads = await make('/Groups', {
    schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'weir-search-leads',
    meta: { resourceType: 'Group' },
  })
  const offers = await make('/Groups', {
    schemas: [GROUP],
    displayName: 'ads & offers',
    members: [],
  })
  await make('/Groups', { displayName: 'all staff', members: [{ value: grace }] })
  assert.deepEqual(await teamsOf(grace), [])

  const member = (value: string) => ({
    value,
    $ref: `${scene.url}/scim/v2/Users/${value}`,
    type: 'User',
  })
  const added = await patch(
    `/Groups/${leads}`,
    { op: 'Add', path: 'members', value: [{ $ref: null, value: grace }] },
    { op: 'add', path: 'members', value: [{ value: alan, display: 'alan@corp.example' }] },
  )
  assert.deepEqual(added.body['members'], [grace, alan].toSorted().map(member))
  await patch(`/Groups/${offers}`, { op: 'replace', path: 'members', value: [{ value: grace }] })
  assert.deepEqual(await teamsOf(grace), [`${search} lead scim`, `${ads} member scim`].toSorted())
  assert.deepEqual(await teamsOf(alan), [`${search} lead scim`])

  await patch(`/Groups/${leads}`, { op: 'remove', path: `members[value eq "${alan}"]` })
  await patch(`/Groups/${leads}`, { op: 'Remove', path: 'members', value: [{ value: grace }] })
  assert.deepEqual([await teamsOf(grace), await teamsOf(alan)], [[`${ads} member scim`], []])
  // Another name is another team, and a group that is gone is none.
  const renamed = { op: 'replace', value: { id: offers, displayName: 'search' } }
  assert.equal((await patch(`/Groups/${offers}`, renamed)).body['displayName'], 'search')
  assert.deepEqual(await teamsOf(grace), [`${search} member scim`])
  assert.equal((await ask(`DELETE /Groups/${offers}`)).status, 204)
  assert.deepEqual(await teamsOf(grace), [])
})

test('lists of groups leave out members, and are filtered by them', async () => {
  const grace = await make('/Users', ENTRA_USER)
  const staff = await make('/Groups', { displayName: 'Staff', members: [{ value: grace }] })
  await make('/Groups', { displayName: 'Others' })
  const filter = encodeURIComponent('displayName eq "staff"')
  const { body } = await ask(`GET /Groups?excludedAttributes=members&filter=${filter}`)
  const [group, ...more] = body['Resources'] as Json[]
  assert.deepEqual([group?.['id'], group?.['members'], more.length], [staff, undefined, 0])
  const of = await find(`members.value eq "${grace}"`, 'Groups')
  assert.equal(of.body['totalResults'], 1)
  const chosen = await ask(`GET /Groups/${staff}?attributes=displayName`)
  assert.deepEqual(Object.keys(chosen.body).toSorted(), ['displayName', 'id', 'schemas'])
  await ask(`DELETE /Users/${grace}`)
  assert.deepEqual((await ask(`GET /Groups/${staff}`)).body['members'], [])
})

test('a list comes in pages', async () => {
  for (const [query, ids, startIndex] of [
    ['', [scene.admin.id, scene.viewer.id], 1],
    ['?count=1', [scene.admin.id], 1],
    ['?startIndex=2&count=5', [scene.viewer.id], 2],
    ['?startIndex=-3&count=1', [scene.admin.id], 1],
    ['?startIndex=9', [], 9],
    ['?count=0', [], 1],
    ['?count=-1', [], 1],
  ] as const) {
    const { body } = await ask(`GET /Users${query}`)
    const rows = (body['Resources'] as Json[]).map(({ id }) => id)
    const figures = [body['totalResults'], body['startIndex'], body['itemsPerPage']]
    assert.deepEqual([rows, ...figures], [ids, 2, startIndex, ids.length], query)
  }
  assert.equal((await ask('GET /Users?count=x')).body['scimType'], 'invalidValue')
})

test('changes of one group at once are all made', async () => {
  const ids = await Promise.all(
    Array.from({ length: 4 }, (_, at) => make('/Users', { userName: `u${at}@corp.example` })),
  )
  const group = await make('/Groups', { displayName: 'staff' })
  const answers = await Promise.all(
    ids.map((value) =>
      patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value }] }),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual((await scene.settings.groups.find(group))?.memberIds, ids.toSorted())
})

test('a change that was made of another version is refused', async () => {
  const id = await make('/Users', OKTA_USER)
  const { headers } = await ask(`GET /Users/${id}`)
  const seen = { 'if-match': headers.get('etag') ?? '' }
  const body = operations({ op: 'replace', path: 'displayName', value: 'A. Turing' })
  assert.equal((await ask(`PATCH /Users/${id}`, { body, headers: seen })).status, 200)
  for (const [method, sent] of [
    ['PATCH', { body, headers: seen }],
    ['PUT', { body: OKTA_USER, headers: seen }],
    ['DELETE', { headers: seen }],
  ] as const) {
    const answer = await ask(`${method} /Users/${id}`, sent)
    assert.deepEqual([answer.status, answer.body['schemas']], [412, [ERROR]], method)
  }
})

test('faults are told in the words of SCIM', async () => {
  await make('/Users', OKTA_USER)
  const group = await make('/Groups', { displayName: 'staff' })
  const stranger = { value: 'user_0000000000000000' }
  for (const [place, body, status, scimType] of [
    ['POST /Users', OKTA_USER, 409, 'uniqueness'],
    ['POST /Users', { userName: 'vera@example.com' }, 409, 'uniqueness'],
    ['POST /Users', { ...OKTA_USER, userName: 'other' }, 409, 'uniqueness'],
    ['POST /Users', {}, 400, 'invalidValue'],
    ['POST /Users', { ...OKTA_USER, userName: 'x'.repeat(300) }, 400, 'invalidValue'],
    ['POST /Users', '[]', 400, 'invalidSyntax'],
    ['POST /Users', '{', 400, 'invalidSyntax'],
    ['POST /Users', `{"userName":"${'x'.repeat(1_100_000)}"}`, 413, undefined],
    ['POST /Groups', {}, 400, 'invalidValue'],
    ['POST /Groups', { displayName: 'x', members: ['y'] }, 400, 'invalidValue'],
    ['POST /Groups', { displayName: 'x', members: [stranger] }, 400, 'invalidValue'],
    [`PATCH /Groups/${group}`, operations({ op: 'remove' }), 400, 'noTarget'],
    ['PATCH /Groups/group_0', operations({ op: 'remove', path: 'members' }), 404, undefined],
    ['PUT /Groups/group_0', { displayName: 'x' }, 404, undefined],
    ['DELETE /Groups/group_0', undefined, 404, undefined],
    ['GET /Users?filter=userName', undefined, 400, 'invalidFilter'],
    ['PUT /Users', OKTA_USER, 405, undefined],
    ['POST /Schemas', {}, 405, undefined],
    ['GET /Schemas?filter=x', undefined, 403, undefined],
    ['GET /Nothing', undefined, 404, undefined],
    ['GET /Groups/a/b', undefined, 404, undefined],
    ['GET /%zz', undefined, 404, undefined],
    ['POST /Bulk', {}, 501, undefined],
  ] as const) {
    const answer = await ask(place, body === undefined ? {} : { body })
    assert.deepEqual(
      [answer.status, answer.body['status'], answer.body['scimType'], answer.body['schemas']],
      [status, String(status), scimType, [ERROR]],
      `${place} ${JSON.stringify(answer.body)}`,
    )
  }
  assert.deepEqual(scene.logged, [])
})

test('it takes a token with the scope, counts what is asked, and says what it can', async () => {
  const admin = await scene.authorize('admin')
  const usage = await scene.authorize('read:usage', 'write:keys')
  for (const [authorization, status] of [
    ['', 401],
    ['Bearer svc_agt_00000000.nothing', 401],
    [usage, 403],
    [admin, 200],
  ] as const) {
    const { status: found } = await ask('GET /Users', { headers: { authorization } })
    assert.equal(found, status, authorization)
  }
  // What SCIM may do is nothing else's.
  assert.equal((await scene.get('/v1/users', token)).status, 403)
  // A session is no way in: it would let another site's page write.
  const browser = await scene.signIn(scene.admin.email)
  assert.equal((await browser.ask('/scim/v2/Users')).status, 401)
  const config = await ask('GET /ServiceProviderConfig')
  assert.deepEqual(config.body['patch'], { supported: true })
  assert.equal(config.headers.get('ratelimit-limit'), '1500')
  for (const path of ['/ResourceTypes', '/Schemas']) {
    const { body } = await ask(`GET ${path}`)
    const [first] = body['Resources'] as Json[]
    assert.deepEqual((await ask(`GET ${path}/${String(first?.['id'])}`)).body, first)
  }
})

test('the audit log names the token', async () => {
  const id = await make('/Users', OKTA_USER)
  await make('/Groups', { displayName: 'staff', members: [{ value: id }] })
  const { entries } = await scene.settings.audit.list(
    { noun: null, actorId: null, subjectId: null },
    { before: null, rowsMax: 2 },
  )
  assert.deepEqual(
    entries.map(({ action, actor, subjectName }) => [action, actor.kind, actor.name, subjectName]),
    [
      ['group.create', 'token', 'test', 'staff'],
      ['user.create', 'token', 'test', 'alan@corp.example'],
    ],
  )
})
