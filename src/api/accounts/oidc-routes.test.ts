import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Browser } from '../../../test/fakes/browser.ts'
import { CLIENT, openIdentityProvider } from '../../../test/fakes/peers/identity-provider.ts'
import type { Claims, IdentityProvider } from '../../../test/fakes/peers/identity-provider.ts'
import { SIGN_IN } from '../../../test/fakes/sign-in-options.ts'
import { errorCode, openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { sessionSchema } from '../contract.ts'

const GRACE: Claims = {
  sub: 'grace-1',
  email: 'Grace@example.com',
  email_verified: true,
  name: 'Grace',
  groups: ['staff', 'weir-viewers'],
}
const ADMIN: Claims = { ...GRACE, groups: ['weir-admins', 'weir-viewers'] }

let provider: IdentityProvider
let scene: SignInScene

beforeEach(async () => {
  provider = await openIdentityProvider()
  scene = await openWith({})
})

afterEach(async () => {
  await scene.close()
  await provider.close()
})

function openWith(change: Readonly<Record<string, unknown>>): Promise<SignInScene> {
  const oidc = {
    issuer: provider.issuer,
    ...CLIENT,
    name: 'Example SSO',
    scopes: 'openid email profile',
    roleClaim: 'groups',
    adminValues: ['weir-admins'],
    viewerValues: ['weir-viewers'],
    groupsClaim: 'groups',
    ...change,
  }
  return openSignInScene({ signIn: { ...SIGN_IN, oidc } })
}

const locationOf = (response: Response): string => response.headers.get('location') ?? ''

async function leave(browser: Browser, to?: string): Promise<string> {
  const search = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
  const response = await browser.ask(`/v1/oidc/start${search}`)
  assert.equal(response.status, 302)
  return locationOf(response)
}

/** Away and back; where it ends. */
async function signIn(claims: Claims, browser = scene.browser()): Promise<string> {
  const back = provider.grant(await leave(browser), claims)
  const response = await browser.ask(back)
  assert.equal(response.status, 302)
  return locationOf(response)
}

async function whoIs(browser: Browser) {
  const response = await browser.ask('/v1/session')
  return response.status === 200 ? sessionSchema.parse(await response.json()).user : null
}

test('a person of the provider is made a user and lands where they wanted to go', async () => {
  const browser = scene.browser()
  const away = new URL(await leave(browser, '/explore?metric=cost_usd'))
  assert.equal(away.origin + away.pathname, `${provider.issuer}/authorize`)
  const asked = away.searchParams
  assert.equal(asked.get('redirect_uri'), `${scene.url}/v1/oidc/callback`)
  assert.equal(asked.get('scope'), 'openid email profile')
  assert.equal(asked.get('code_challenge_method'), 'S256')
  assert.ok(!away.href.includes(encodeURIComponent(CLIENT.clientSecret)))
  const response = await browser.ask(provider.grant(away.href, GRACE))
  assert.equal(locationOf(response), '/explore?metric=cost_usd')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const user = await whoIs(browser)
  assert.deepEqual(
    [user?.email, user?.name, user?.role, user?.is_oidc, user?.has_password],
    ['grace@example.com', 'Grace', 'viewer', true, false],
  )
  assert.deepEqual([...browser.cookies.keys()], ['weir_session'])
})

test('what the browser keeps meanwhile is short-lived, hidden and sent nowhere else', async () => {
  const response = await scene.browser().ask('/v1/oidc/start')
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(cookie, /^weir_oidc=[\w-]+; Path=\/v1\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/)
})

test('the claim decides the role at each sign-in', async () => {
  const browser = scene.browser()
  await signIn(GRACE, browser)
  const first = await whoIs(browser)
  await signIn(ADMIN, browser)
  const second = await whoIs(browser)
  assert.deepEqual([first?.role, second?.role, second?.id], ['viewer', 'admin', first?.id])
  await signIn({ ...GRACE, email: 'moved@example.com', groups: 'weir-viewers' }, browser)
  const third = await whoIs(browser)
  assert.deepEqual([third?.role, third?.id], ['viewer', first?.id])
  assert.equal(
    await signIn({ ...GRACE, groups: [] }, scene.browser()),
    '/sign-in?error=oidc_no_role',
  )
  const { entries } = await scene.settings.audit.list(
    { noun: 'session', actorId: null, subjectId: null },
    { before: null, rowsMax: 1 },
  )
  assert.deepEqual(
    entries.map(({ action, subjectName }) => [action, subjectName]),
    [['session.refuse', GRACE['email']]],
  )
})

test('a role may stand deep in the token, and a single star is any user', async () => {
  const nested = await openWith({ roleClaim: 'realm_access.roles', viewerValues: ['*'] })
  try {
    for (const [access, role] of [
      [{ roles: ['weir-admins'] }, 'admin'],
      [{ roles: ['other'] }, 'viewer'],
      [undefined, 'viewer'],
    ] as const) {
      const browser = nested.browser()
      const back = provider.grant(await leave(browser), { ...GRACE, realm_access: access })
      assert.equal(locationOf(await browser.ask(back)), '/')
      assert.equal((await whoIs(browser))?.role, role)
    }
  } finally {
    await nested.close()
  }
})

test('a user who was there before is found by a verified address, and keeps the password', async () => {
  const vera = { ...GRACE, sub: 'vera-1', email: 'vera@example.com' }
  const browser = scene.browser()
  assert.equal(await signIn(vera, browser), '/')
  const user = await whoIs(browser)
  assert.deepEqual([user?.id, user?.is_oidc, user?.has_password], [scene.viewer.id, true, true])
  // Another of theirs who is given the same address does not get the account.
  const other = await signIn({ ...vera, sub: 'vera-2' })
  assert.equal(other, '/sign-in?error=oidc_email_taken')
})

test('an address that is not verified takes over no account', async () => {
  for (const verified of [false, undefined, 'true']) {
    const claims = { ...GRACE, email: 'ada@example.com', email_verified: verified }
    assert.equal(await signIn(claims), '/sign-in?error=oidc_email_unverified')
  }
  const { subject } = (await scene.settings.users.find({ email: 'ada@example.com' })) ?? {}
  assert.equal(subject, null)
  const browser = scene.browser()
  assert.equal(await signIn({ ...GRACE, email_verified: false }, browser), '/')
  assert.equal((await whoIs(browser))?.email, 'grace@example.com')
})

test('who has no address, was disabled, or is the last administrator learns so', async () => {
  assert.equal(await signIn({ ...GRACE, email: undefined }), '/sign-in?error=oidc_no_email')
  await scene.settings.users.update(scene.viewer.id, { isDisabled: true })
  const vera = { ...GRACE, sub: 'vera-1', email: 'vera@example.com' }
  assert.equal(await signIn(vera), '/sign-in?error=oidc_disabled')
  const ada = { ...GRACE, sub: 'ada-1', email: 'ada@example.com' }
  assert.equal(await signIn(ada), '/sign-in?error=oidc_last_admin')
  assert.equal((await scene.settings.users.find({ id: scene.admin.id }))?.role, 'admin')
})

const REFUSED = '/sign-in?error=oidc_refused'

test('what does not belong to this browser and this moment is refused', async () => {
  const browser = scene.browser()
  const away = await leave(browser)
  const wrongState = provider.grant(away, GRACE).replace(/state=[^&]+/, 'state=wrong')
  assert.equal(locationOf(await browser.ask(wrongState)), REFUSED)
  // The answer took the cookie away: it is not asked twice.
  assert.equal(
    locationOf(await browser.ask(provider.grant(away, GRACE))),
    '/sign-in?error=oidc_expired',
  )
  const stranger = scene.browser()
  const back = provider.grant(await leave(browser), GRACE)
  assert.equal(locationOf(await stranger.ask(back)), '/sign-in?error=oidc_expired')
  // Another user's answer in a browser that left by itself.
  await leave(stranger)
  assert.equal(locationOf(await stranger.ask(back)), REFUSED)
  for (const each of [browser, stranger]) assert.equal(await whoIs(each), null)
})

test('a code is good once', async () => {
  const browser = scene.browser()
  const away = await leave(browser)
  const kept = new Map(browser.cookies)
  const back = provider.grant(away, GRACE)
  assert.equal(locationOf(await browser.ask(back)), '/')
  browser.cookies.set('weir_oidc', kept.get('weir_oidc') ?? '')
  assert.equal(locationOf(await browser.ask(back)), REFUSED)
})

test('who stays away too long begins again', async () => {
  const browser = scene.browser()
  const back = provider.grant(await leave(browser), GRACE)
  scene.pass(600_000)
  assert.equal(locationOf(await browser.ask(back)), '/sign-in?error=oidc_expired')
})

test('a token for another, of another, without the nonce, or too old is refused', async () => {
  const past = Math.floor(Date.now() / 1000) - 3600
  for (const claims of [
    { nonce: 'wrong' },
    { nonce: undefined },
    { aud: 'another' },
    { iss: 'https://another.example' },
    { iat: past - 300, exp: past },
    { sub: undefined },
  ]) {
    assert.equal(await signIn({ ...GRACE, ...claims }), REFUSED, JSON.stringify(claims))
  }
  assert.equal(await signIn(GRACE), '/')
  provider.forge()
  assert.equal(await signIn(GRACE), REFUSED)
  const users = await scene.settings.users.list()
  assert.equal(users.length, 3)
})

test('a user who says no at the provider is back at the sign-in page', async () => {
  const browser = scene.browser()
  const state = new URL(await leave(browser)).searchParams.get('state')
  const back = `/v1/oidc/callback?error=access_denied&state=${state}`
  assert.equal(locationOf(await browser.ask(back)), REFUSED)
  assert.ok(scene.logged.some((line) => line.includes('identity provider failed')))
})

test('a provider that is away is said to be, at both ends, and found again', async () => {
  provider.isDown = true
  const browser = scene.browser()
  const start = await browser.ask('/v1/oidc/start')
  assert.equal(locationOf(start), '/sign-in?error=oidc_unreachable')
  provider.isDown = false
  const back = provider.grant(await leave(browser), GRACE)
  provider.isDown = true
  assert.equal(locationOf(await browser.ask(back)), '/sign-in?error=oidc_unreachable')
  provider.isDown = false
  assert.equal(await signIn(GRACE, browser), '/')
})

test('no user is led to another site behind the sign-in', async () => {
  for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil']) {
    const browser = scene.browser()
    const back = provider.grant(await leave(browser, to), GRACE)
    assert.equal(locationOf(await browser.ask(back)), '/')
  }
  // Also where the browser itself was made to keep another way.
  const browser = scene.browser()
  const away = await leave(browser)
  const kept = Buffer.from(browser.cookies.get('weir_oidc') ?? '', 'base64url').toString('utf8')
  const changed = JSON.stringify({ ...(JSON.parse(kept) as object), to: '//evil.example' })
  browser.cookies.set('weir_oidc', Buffer.from(changed).toString('base64url'))
  assert.equal(locationOf(await browser.ask(provider.grant(away, GRACE))), '/')
})

test('where none is set up, there is nothing', async () => {
  const plain = await openSignInScene()
  try {
    for (const path of ['/v1/oidc/start', '/v1/oidc/callback']) {
      assert.deepEqual(await errorCode(await plain.get(path)), [404, 'not_found'])
    }
  } finally {
    await plain.close()
  }
})
