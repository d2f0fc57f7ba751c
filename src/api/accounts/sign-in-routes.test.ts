import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createBrowser } from '../../../test/fakes/browser.ts'
import { SIGN_IN } from '../../../test/fakes/sign-in-options.ts'
import {
  PASSWORD,
  SIGN_IN_NOW,
  errorCode,
  openSignInScene,
} from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { openApi, openApiBeside } from '../../../test/fakes/open-api.ts'
import { sessionSchema, signInSchema } from '../contract.ts'

const ADA = { email: 'ada@example.com', password: PASSWORD }
const WRONG = { ...ADA, password: 'wrong' }
const COOKIE =
  /^weir_session=session_[0-9a-f]{16}\.[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/
const BROWSER_COOKIE =
  /^weir_browser=[\w-]{22}\.[\w-]{43}; Path=\/v1\/session; Max-Age=31536000; HttpOnly; SameSite=Strict$/

let scene: SignInScene

beforeEach(async () => {
  scene = await openSignInScene()
})

afterEach(() => scene.close())

const post = (path: string, body: unknown, browser = scene.browser()): Promise<Response> =>
  browser.ask(path, { method: 'POST', body })

test('who knows the password is signed in by a cookie that no script and no other site can use', async () => {
  const browser = scene.browser()
  const response = await post('/v1/session', { ...ADA, email: ' ADA@Example.com ' }, browser)
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const cookies = response.headers.getSetCookie()
  assert.equal(cookies.length, 2)
  assert.match(cookies[0] ?? '', COOKIE)
  assert.match(cookies[1] ?? '', BROWSER_COOKIE)
  const session = sessionSchema.parse(await response.json())
  assert.deepEqual([session.user.email, session.scopes], [ADA.email, ['admin']])
  assert.equal(session.user.last_sign_in_at, '2026-03-15T12:00:00.000Z')
  assert.equal(session.expires_at, '2026-03-22T12:00:00.000Z')
  const again = await browser.ask('/v1/session')
  assert.deepEqual(sessionSchema.parse(await again.json()), session)
})

test('where the console is served by https, the cookie travels by nothing else', async () => {
  const signIn = { ...SIGN_IN, publicUrl: 'https://weir.example.com' }
  const secure = await openApiBeside(scene, () => ({ signIn }))
  try {
    const browser = createBrowser(secure.url)
    const response = await browser.ask('/v1/session', { method: 'POST', body: ADA })
    const cookies = response.headers.getSetCookie()
    assert.equal(cookies.length, 2)
    for (const cookie of cookies) assert.match(cookie, /; SameSite=Strict; Secure$/)
  } finally {
    await secure.close()
  }
})

test('a wrong password and a wrong address are refused in the same words', async () => {
  const disabled = await scene.addUser('gone@example.com', 'viewer')
  await scene.settings.users.update(disabled.id, { isDisabled: true })
  const invited = { email: 'new@example.com', name: 'New', role: 'viewer' } as const
  await scene.settings.users.create({ ...invited, passwordHash: null, subject: null })
  const answers = [
    await post('/v1/session', WRONG),
    await post('/v1/session', { ...ADA, email: 'nobody@example.com' }),
    await post('/v1/session', { ...ADA, email: disabled.email }),
    await post('/v1/session', { ...ADA, email: invited.email }),
  ]
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  assert.equal(new Set(texts).size, 1, texts.join())
  assert.match(texts[0] ?? '', /"code":"sign_in_refused"/)
  for (const answer of answers) {
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
})

test('refusals are in the audit log, once a minute for an address, cut, and without the password', async () => {
  const long = `${'a'.repeat(60)}@${'b'.repeat(100)}`
  for (const email of [ADA.email, ADA.email, long]) {
    await post('/v1/session', { email, password: 'a secret slip' })
  }
  const filter = { noun: 'session', actorId: null, subjectId: null }
  const read = () => scene.settings.audit.list(filter, { before: null, rowsMax: 10 })
  const { entries } = await read()
  assert.deepEqual(
    entries.map(({ action, subjectName, changes }) => [action, subjectName, changes]),
    [
      ['session.refuse', long.slice(0, 100), { address: { after: '127.0.0.1' } }],
      ['session.refuse', ADA.email, { address: { after: '127.0.0.1' } }],
    ],
  )
  assert.ok(!JSON.stringify(entries).includes('slip'))
  scene.pass(60_000)
  await post('/v1/session', WRONG)
  assert.equal((await read()).entries.length, 3)
})

test('a session that comes along is ended and never continued', async () => {
  const browser = await scene.signIn(ADA.email)
  const planted = browser.cookies.get('weir_session') ?? ''
  const victim = createBrowser(scene.url, [['weir_session', planted]])
  await post('/v1/session', { ...ADA, email: 'vera@example.com' }, victim)
  const fresh = victim.cookies.get('weir_session') ?? ''
  assert.notEqual(fresh.split('.')[0], planted.split('.')[0])
  assert.equal((await browser.ask('/v1/session')).status, 401)
  const session = sessionSchema.parse(await (await victim.ask('/v1/session')).json())
  assert.equal(session.user.email, 'vera@example.com')
})

test('a made-up cookie is not taken as the name of the new session', async () => {
  const made = `session_${'0'.repeat(16)}.${'x'.repeat(43)}`
  const browser = createBrowser(scene.url, [['weir_session', made]])
  assert.equal((await post('/v1/session', ADA, browser)).status, 201)
  assert.notEqual(browser.cookies.get('weir_session')?.split('.')[0], made.split('.')[0])
  assert.equal((await browser.ask('/v1/session')).status, 200)
})

test('the link of the first start makes an administrator who is signed in, once', async (context) => {
  const api = await openApi(SIGN_IN_NOW)
  context.after(() => api.close())
  const code = await api.settings.setupCode.create()
  const browser = createBrowser(api.url)
  const post = (path: string, body: unknown): Promise<Response> =>
    browser.ask(path, { method: 'POST', body })
  const before = await browser.ask('/v1/sign-in')
  assert.deepEqual(signInSchema.parse(await before.json()), {
    needs_setup: true,
    has_password: true,
    oidc_name: null,
  })
  const body = { code, email: 'First@example.com', name: ' First ', password: 'a long password' }
  const made = await post('/v1/setup', body)
  assert.equal(made.status, 201)
  const { user } = sessionSchema.parse(await made.json())
  assert.deepEqual([user.email, user.name, user.role], ['first@example.com', 'First', 'admin'])
  assert.equal((await browser.ask('/v1/users')).status, 200)
  assert.deepEqual(await errorCode(await post('/v1/setup', body)), [401, 'sign_in_refused'])
  const after = signInSchema.parse(await (await browser.ask('/v1/sign-in')).json())
  assert.equal(after.needs_setup, false)
  const again = { email: 'first@example.com', password: 'a long password' }
  assert.equal((await post('/v1/session', again)).status, 201)
})

test('a one-time link sets a password, signs in, and ends what was open', async () => {
  const open = await scene.signIn('vera@example.com')
  const link = await scene.settings.users.createLink(scene.viewer.id, 1000)
  const body = { code: link?.code, password: 'another long one' }
  const short = await post('/v1/welcome', { ...body, password: 'short' })
  assert.deepEqual(await errorCode(short), [400, 'invalid_parameter'])
  assert.equal((await post('/v1/welcome', body)).status, 201)
  assert.equal((await open.ask('/v1/session')).status, 401)
  assert.deepEqual(await errorCode(await post('/v1/welcome', body)), [401, 'sign_in_refused'])
  const again = { email: 'vera@example.com', password: 'another long one' }
  assert.equal((await post('/v1/session', again)).status, 201)
  const late = await scene.settings.users.createLink(scene.viewer.id, 1000)
  scene.pass(1000)
  assert.equal((await post('/v1/welcome', { ...body, code: late?.code })).status, 401)
})

test('where passwords are off, none is taken', async () => {
  const beside = await openApiBeside(scene, () => ({ signIn: { ...SIGN_IN, hasPassword: false } }))
  try {
    const browser = createBrowser(beside.url)
    const page = signInSchema.parse(await (await browser.ask('/v1/sign-in')).json())
    assert.equal(page.has_password, false)
    const link = await scene.settings.users.createLink(scene.viewer.id, 1000)
    for (const [path, body] of [
      ['/v1/session', ADA],
      ['/v1/welcome', { code: link?.code, password: PASSWORD }],
    ] as const) {
      const answer = await browser.ask(path, { method: 'POST', body })
      assert.deepEqual(await errorCode(answer), [401, 'sign_in_refused'])
    }
  } finally {
    await beside.close()
  }
})

test('no user is signed in by another site, with or without a cookie', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ]) {
    const asked = { method: 'POST', body: ADA, headers }
    assert.deepEqual(await errorCode(await scene.browser().ask('/v1/session', asked)), [
      403,
      'cross_site',
    ])
  }
  const plain = { 'content-type': 'application/json' }
  const send = (headers: Record<string, string>) =>
    fetch(`${scene.url}/v1/session`, { method: 'POST', headers, body: JSON.stringify(ADA) })
  assert.equal((await send({ ...plain, origin: 'http://evil.example' })).status, 403)
  assert.equal((await send({ ...plain, origin: 'null' })).status, 403)
  assert.equal((await send({ ...plain, origin: scene.url })).status, 201)
  assert.equal((await send(plain)).status, 201)
})
