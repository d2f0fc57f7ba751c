import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { CLIENT, openIdentityProvider } from '../../../test/fakes/peers/identity-provider.ts'
import type { Claims, IdentityProvider } from '../../../test/fakes/peers/identity-provider.ts'
import { SIGN_IN } from '../../../test/fakes/sign-in-options.ts'
import { openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { GroupRule, SignInOptions } from '../../accounts/sign-in-options.ts'
import type { Team } from '../../core/teams/team.ts'
import type { User } from '../../core/user.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'

const GRACE: Claims = {
  sub: 'grace-1',
  email: 'grace@example.com',
  email_verified: true,
  name: 'Grace',
}
const rule = (group: string, change: Partial<GroupRule>): GroupRule => ({
  group,
  team: null,
  role: 'member',
  companyRole: null,
  ...change,
})
const GROUPS = [
  rule('weir-*', { team: '*' }),
  rule('weir-*-leads', { team: '*', role: 'lead' }),
  rule('finance', { companyRole: 'finance' }),
]

let provider: IdentityProvider
let scene: SignInScene
let unknown: number[]

beforeEach(async () => {
  provider = await openIdentityProvider()
  scene = await openWith({})
})

afterEach(async () => {
  await scene.close()
  await provider.close()
})

function openWith(change: Partial<SignInOptions>): Promise<SignInScene> {
  unknown = []
  const oidc = {
    issuer: provider.issuer,
    ...CLIENT,
    name: 'Example SSO',
    scopes: 'openid',
    roleClaim: 'roles',
    adminValues: [],
    viewerValues: [],
    groupsClaim: 'groups',
  }
  return openSignInScene({
    signIn: { ...SIGN_IN, oidc, groups: GROUPS, ...change },
    countUnknownGroups: (count) => unknown.push(count),
  })
}

/** Where it ends. */
async function signIn(claims: Claims): Promise<string> {
  const browser = scene.browser()
  const away = await browser.ask('/v1/oidc/start')
  const back = provider.grant(away.headers.get('location') ?? '', { ...GRACE, ...claims })
  return (await browser.ask(back)).headers.get('location') ?? ''
}

function addTeam(slug: string): Promise<Team> {
  const { settings } = scene
  return settings.teams.create(TEAM_CODEC.fromNew({ name: slug, slug }))
}

async function findGrace(): Promise<User> {
  const subject = { issuer: provider.issuer, subject: 'grace-1' }
  const user = await scene.settings.users.find({ subject })
  assert.ok(user)
  return user
}

/** `search: lead by oidc`, by the teams' names. */
async function teamsOf({ id }: User): Promise<string[]> {
  const teams = await scene.settings.teams.list()
  const memberships = await scene.settings.teams.listMemberships(id)
  return memberships
    .map(({ teamId, role, source }) => {
      const team = teams.find((each) => each.id === teamId)
      return `${team?.slug}: ${role} by ${source}`
    })
    .toSorted()
}

test('groups give teams at each sign-in, and take them', async () => {
  await addTeam('search')
  const ads = await addTeam('ads')
  for (const [groups, teams] of [
    [['weir-search'], ['search: member by oidc']],
    [
      ['weir-search', 'weir-search-leads', 'weir-ads'],
      ['ads: member by oidc', 'search: lead by oidc'],
    ],
    [[{ name: 'weir-ads', value: '0-1' }], ['ads: member by oidc']],
    ['weir-search-leads', ['search: lead by oidc']],
    [['weir-none'], []],
  ] as const) {
    assert.equal(await signIn({ groups }), '/')
    assert.deepEqual(await teamsOf(await findGrace()), teams)
  }
  const grace = await findGrace()
  assert.equal(grace.role, 'none')
  // What a hand gave stays, and a group that gives the same takes nothing of it.
  await scene.settings.teams.join({
    teamId: ads.id,
    userId: grace.id,
    role: 'lead',
    source: 'hand',
  })
  for (const groups of [['weir-ads'], ['weir-search']]) {
    await signIn({ groups })
    assert.ok((await teamsOf(grace)).includes('ads: lead by hand'))
  }
})

test('who is not let in any more has lost the teams, too', async () => {
  await addTeam('search')
  assert.equal(await signIn({ groups: [] }), '/sign-in?error=oidc_no_role')
  await signIn({ groups: ['finance', 'weir-search'] })
  const grace = await findGrace()
  assert.equal(grace.role, 'finance')
  assert.equal(await signIn({ groups: ['staff'] }), '/sign-in?error=oidc_no_role')
  assert.deepEqual(await teamsOf(grace), [])
})

test('unknown groups are counted and shown, and refuse nobody', async () => {
  await addTeam('search')
  assert.equal(await signIn({ groups: ['weir-search', 'staff', 'weir-nowhere'] }), '/')
  assert.deepEqual(unknown, [2])
  const admin = await scene.authorize('admin')
  const { rows } = (await (await scene.get('/v1/users', admin)).json()) as {
    rows: { email: string; unknown_groups: string[] }[]
  }
  const shown = rows.find(({ email }) => email === 'grace@example.com')?.unknown_groups
  assert.deepEqual(shown, ['staff', 'weir-nowhere'])
  await signIn({ groups: ['weir-search'] })
  assert.deepEqual((await findGrace()).unknownGroups, [])
})

test('a provider that has too many groups for its token takes no team away', async () => {
  await addTeam('search')
  await signIn({ groups: ['weir-search'] })
  const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: {} }
  assert.equal(await signIn(elsewhere), '/')
  assert.deepEqual(await teamsOf(await findGrace()), ['search: member by oidc'])
  assert.ok(scene.logged.some((line) => line.includes('too many for its token')))
})

test('a role that no rule names is what an administrator set', async () => {
  await scene.close()
  scene = await openWith({ defaultRole: 'viewer' })
  await signIn({ groups: [] })
  const grace = await findGrace()
  assert.equal(grace.role, 'viewer')
  await scene.settings.users.update(grace.id, { role: 'admin' })
  await signIn({ groups: ['finance'] })
  assert.equal((await findGrace()).role, 'admin')
  await scene.settings.users.update(grace.id, { role: 'none' })
  await signIn({ groups: ['finance'] })
  assert.equal((await findGrace()).role, 'finance')
  await signIn({ groups: [] })
  assert.equal((await findGrace()).role, 'viewer')
})

test('the last administrator keeps the role, whatever the groups say', async () => {
  await scene.close()
  scene = await openWith({
    groups: [rule('admins', { companyRole: 'admin' })],
    defaultRole: 'none',
  })
  const ada = { sub: 'ada-1', email: 'ada@example.com' }
  assert.equal(await signIn({ ...ada, groups: [] }), '/sign-in?error=oidc_last_admin')
  assert.equal((await scene.settings.users.find({ id: scene.admin.id }))?.role, 'admin')
  assert.equal(await signIn({ ...ada, groups: ['admins'] }), '/')
})

test('a renamed person is the same, and their old address is free for another one', async () => {
  await addTeam('search')
  const groups = ['weir-search']
  await signIn({ groups })
  const grace = await findGrace()
  // Somebody new was given the address before Grace came back under her new one.
  const other = { sub: 'grace-2', groups }
  assert.equal(await signIn(other), '/sign-in?error=oidc_email_taken')
  const renamed = { email: 'grace.hopper@example.com', groups }
  assert.equal(await signIn({ ...renamed, email_verified: false }), '/')
  assert.equal((await findGrace()).email, 'grace@example.com')
  assert.equal(await signIn(renamed), '/')
  const after = await findGrace()
  assert.deepEqual([after.id, after.email], [grace.id, 'grace.hopper@example.com'])
  assert.equal(await signIn(other), '/')
  const second = await scene.settings.users.find({ email: 'grace@example.com' })
  assert.ok(second)
  assert.notEqual(second.id, grace.id)
  // An address that somebody else has is not taken from them.
  assert.equal(await signIn({ groups }), '/')
  assert.equal((await findGrace()).email, 'grace.hopper@example.com')
})

test('a user whom the directory made signs in to the account that waits', async () => {
  await addTeam('search')
  const { users } = scene.settings
  const made = (email: string, externalId: string) =>
    users.create({
      email,
      name: 'Grace',
      role: 'none',
      passwordHash: null,
      subject: null,
      provisioned: { userName: `${externalId}@corp.example`, externalId },
    })
  const grace = await made('grace@example.com', '00u-grace')
  const groups = ['weir-search']
  // Not verified, and of another id than the directory's: it may be anybody.
  const unverified = { email_verified: undefined, groups }
  assert.equal(await signIn(unverified), '/sign-in?error=oidc_email_unverified')
  assert.equal(await signIn({ ...unverified, oid: '00u-grace' }), '/')
  assert.equal((await findGrace()).id, grace.id)
  // The directory says what the address is.
  assert.equal(await signIn({ email: 'renamed@example.com', groups }), '/')
  assert.equal((await findGrace()).email, 'grace@example.com')
  // By a verified address as well.
  const alan = await made('alan@example.com', '00u-alan')
  assert.equal(await signIn({ sub: 'alan-1', email: 'alan@example.com', groups }), '/')
  const subject = { issuer: provider.issuer, subject: 'alan-1' }
  assert.equal((await users.find({ subject }))?.id, alan.id)
  assert.equal((await users.list()).length, 4)
})
