// Signing in at a real provider, whose users' groups and addresses change between sign-ins.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CLIENT } from '../../../test/fakes/peers/identity-provider.ts'
import { openOidcProvider, SCOPES } from '../../../test/fakes/peers/oidc-provider.ts'
import type { OidcProvider } from '../../../test/fakes/peers/oidc-provider.ts'
import { SIGN_IN } from '../../../test/fakes/sign-in-options.ts'
import { openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { User } from '../../core/user.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'
import { sessionSchema } from '../contract.ts'

const GRACE = { sub: 'grace-1', email: 'grace@example.com', email_verified: true, name: 'Grace' }
const NOTHING = { team: null, role: 'member', companyRole: null } as const

let provider: OidcProvider
let scene: SignInScene
const unknown: number[] = []

before(async () => {
  provider = await openOidcProvider()
  const oidc = {
    issuer: provider.issuer,
    ...CLIENT,
    name: 'Example SSO',
    scopes: SCOPES,
    roleClaim: 'roles',
    adminValues: [],
    viewerValues: [],
    groupsClaim: 'groups',
  }
  const groups = [
    { ...NOTHING, group: 'weir-*', team: '*' },
    { ...NOTHING, group: 'weir-*-leads', team: '*', role: 'lead' as const },
    { ...NOTHING, group: 'finance', companyRole: 'finance' as const },
  ]
  scene = await openSignInScene({
    signIn: { ...SIGN_IN, oidc, groups },
    countUnknownGroups: (count) => unknown.push(count),
  })
  provider.register(`${scene.url}/v1/oidc/callback`)
  for (const slug of ['search', 'ads']) {
    await scene.settings.teams.create(TEAM_CODEC.fromNew({ name: slug, slug }))
  }
})

after(async () => {
  await scene.close()
  await provider.close()
})

/** Who has signed in by then, with their teams. */
async function signIn(
  claims: object,
): Promise<readonly [id: string, email: string, teams: string]> {
  const browser = scene.browser()
  assert.equal(await provider.signIn(browser, { ...GRACE, ...claims }), '/')
  const { user } = sessionSchema.parse(await (await browser.ask('/v1/session')).json())
  const teams = await scene.settings.teams.list()
  const memberships = await scene.settings.teams.listMemberships(user.id)
  const words = memberships.map(
    ({ teamId, role }) => `${teams.find(({ id }) => id === teamId)?.slug} ${role}`,
  )
  return [user.id, user.email, words.toSorted().join(', ')]
}

const find = (id: string): Promise<User | null> => scene.settings.users.find({ id })

test('groups of a real provider give teams at each sign-in, and take them', async () => {
  const [id, , first] = await signIn({ groups: ['weir-search'] })
  assert.equal(first, 'search member')
  const both = ['weir-search', 'weir-search-leads', 'weir-ads', 'finance']
  assert.deepEqual(await signIn({ groups: both }), [id, GRACE.email, 'ads member, search lead'])
  assert.equal((await find(id))?.role, 'finance')
  assert.deepEqual(await signIn({ groups: ['weir-ads'] }), [id, GRACE.email, 'ads member'])
  assert.equal((await find(id))?.role, 'none')
})

test('groups that give nothing are counted and shown, and refuse nobody', async () => {
  unknown.length = 0
  const [id] = await signIn({ groups: ['weir-ads', 'staff', 'weir-nowhere'] })
  assert.deepEqual(unknown, [2])
  assert.deepEqual((await find(id))?.unknownGroups, ['staff', 'weir-nowhere'])
})

test('a renamed address with the same subject is the same person', async () => {
  const [id] = await signIn({ groups: ['weir-ads'] })
  const renamed = { email: 'hopper@example.com', groups: ['weir-ads'] }
  assert.deepEqual(await signIn(renamed), [id, 'hopper@example.com', 'ads member'])
  const [other] = await signIn({ sub: 'grace-2', groups: ['weir-ads'] })
  assert.notEqual(other, id)
})
