// Guessing is slow, and it locks no one out: through the API's port, with a clock that tests set.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createBrowser } from '../../../test/fakes/browser.ts'
import type { Browser } from '../../../test/fakes/browser.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import {
  PASSWORD,
  SIGN_IN_NOW,
  errorCode,
  openSignInScene,
} from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { createSignInAttempts } from '../../accounts/sign-in-attempts.ts'
import { createMemoryCounters } from '../../store/settings/memory-counters.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiServices } from '../api-options.ts'
import { limitAttempt } from './limit-attempt.ts'
import { parseNetworks } from '../../config/networks.ts'
import { sessionListSchema } from '../contract.ts'

const ADA = { email: 'ada@example.com', password: PASSWORD }
const WRONG = { ...ADA, password: 'wrong' }
const VERA = { ...ADA, email: 'vera@example.com' }
/** What docs/sign-in.md promises. */
const WAIT_SECONDS_MAX = 60
const MADE_UP = 30

let scene: SignInScene

beforeEach(async () => {
  const trustedProxies = parseNetworks('127.0.0.1, 10.0.0.0/8')
  scene = await openSignInScene(trustedProxies === null ? {} : { trustedProxies })
})

afterEach(() => scene.close())

interface From {
  readonly browser?: Browser
  /** As a proxy on this machine would send them. */
  readonly headers?: Readonly<Record<string, string>>
}

function post(path: string, body: unknown, { browser, headers = {} }: From = {}) {
  return (browser ?? scene.browser()).ask(path, { method: 'POST', body, headers })
}

const by = (address: string): From => ({ headers: { 'x-forwarded-for': address } })

/** No password is checked for these, so that it costs a test little. */
async function failFrom(from: From, times = MADE_UP): Promise<void> {
  const body = { code: 'made up', password: PASSWORD }
  for (let index = 0; index < times; index++) await post('/v1/welcome', body, from)
}

async function failAs(email: string, from: From = {}): Promise<void> {
  const body = { ...WRONG, email }
  while ((await post('/v1/session', body, from)).status !== 429);
}

/** Waits as the answer says, by our clock, and returns for how long. */
async function untilSignedIn(body: object, from: From = {}): Promise<number> {
  const first = await post('/v1/session', body, from)
  if (first.status === 201) return 0
  assert.deepEqual(await errorCode(first), [429, 'rate_limited'])
  const waitSeconds = Number(first.headers.get('retry-after'))
  scene.pass((waitSeconds - 1) * 1000)
  assert.equal((await post('/v1/session', body, from)).status, 429)
  scene.pass(1000)
  assert.equal((await post('/v1/session', body, from)).status, 201)
  return waitSeconds
}

test('after thirty made-up attempts the right password from there waits two seconds', async () => {
  await failFrom({}, MADE_UP - 5)
  for (let index = 0; index < 5; index++) {
    const body = { ...ADA, email: `${index}@example.com` }
    assert.equal((await post('/v1/session', body)).status, 401)
  }
  assert.equal(await untilSignedIn(ADA), 2)
})

test('after wrong passwords the right one waits a minute at most, and then begins again', async () => {
  await failAs(ADA.email)
  assert.equal((await post('/v1/session', VERA)).status, 201)
  assert.equal(await untilSignedIn(ADA), WAIT_SECONDS_MAX)
  for (let index = 0; index < 5; index++) {
    assert.equal((await post('/v1/session', WRONG)).status, 401)
  }
})

test('wrong passwords from many addresses make the others wait forty seconds', async () => {
  for (let index = 0; index < 10; index++) {
    assert.equal((await post('/v1/session', WRONG, by(`203.0.113.${index}`))).status, 401)
  }
  assert.equal((await post('/v1/session', WRONG, by('203.0.113.99'))).status, 429)
  assert.equal(await untilSignedIn(ADA, by('198.51.100.1')), 40)
})

test('a browser that has signed in before does not wait for the failures of others', async () => {
  const browser = await scene.signIn(ADA.email)
  await browser.ask('/v1/session', { method: 'DELETE' })
  await failAs(ADA.email)
  for (let index = 0; index < 10; index++) {
    await post('/v1/session', WRONG, by(`203.0.113.${index}`))
  }
  await failFrom({})
  assert.equal((await post('/v1/session', ADA)).status, 429)
  assert.equal((await post('/v1/session', ADA, { browser })).status, 201)
  // Its own failures count, also for whoever has stolen its cookie.
  const copy = (): Browser => createBrowser(scene.url, browser.cookies)
  for (let index = 0; index < 5; index++) {
    assert.equal((await post('/v1/session', WRONG, { browser: copy() })).status, 401)
  }
  assert.equal((await post('/v1/session', WRONG, { browser: copy() })).status, 429)
})

test("a browser's cookie is good for its user and password only", async () => {
  const browser = await scene.signIn(ADA.email)
  const value = browser.cookies.get('weir_browser') ?? ''
  const withCookie = (cookie: string): From => ({
    browser: createBrowser(scene.url, [['weir_browser', cookie]]),
  })
  await failFrom({})
  assert.equal((await post('/v1/session', VERA, withCookie(value))).status, 429)
  const forged = value.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))
  for (const cookie of [forged, '', '.', 'x'.repeat(600)]) {
    assert.equal((await post('/v1/session', ADA, withCookie(cookie))).status, 429)
  }
  const change = { current_password: PASSWORD, password: 'another long password' }
  assert.equal((await post('/v1/session/password', change, { browser })).status, 200)
  await failFrom({}, 1)
  const again = { ...ADA, password: change.password }
  assert.equal((await post('/v1/session', again, withCookie(value))).status, 429)
  assert.equal((await post('/v1/session', again, { browser })).status, 201)
})

test('who is signed in changes the password whatever others have tried, but does not guess', async () => {
  const browser = await scene.signIn(ADA.email)
  await failAs(ADA.email)
  await failFrom({})
  const wrong = { current_password: 'wrong', password: 'another long password' }
  for (let index = 0; index < 5; index++) {
    assert.equal((await post('/v1/session/password', wrong, { browser })).status, 400)
  }
  const waiting = await post('/v1/session/password', wrong, { browser })
  assert.equal(waiting.headers.get('retry-after'), '60')
  scene.pass(60_000)
  const right = { ...wrong, current_password: PASSWORD }
  assert.equal((await post('/v1/session/password', right, { browser })).status, 200)
})

test('a valid link is admitted whatever its address did, and a wrong one waits', async () => {
  const link = await scene.settings.users.createLink(scene.viewer.id, 1000)
  await failFrom({})
  const wrong = { code: 'wrong', password: PASSWORD }
  const refused = await post('/v1/welcome', wrong)
  assert.equal(refused.headers.get('retry-after'), '2')
  assert.deepEqual(await errorCode(refused), [429, 'rate_limited'])
  const setup = { ...wrong, email: 'x@example.com', name: 'X' }
  assert.deepEqual(await errorCode(await post('/v1/setup', setup)), [429, 'rate_limited'])
  assert.equal((await post('/v1/welcome', { ...wrong, code: link?.code })).status, 201)
  // It did not count: after two seconds one attempt is free, not none.
  scene.pass(2000)
  assert.deepEqual(await errorCode(await post('/v1/welcome', wrong)), [401, 'sign_in_refused'])
})

test('the link of the first start is admitted whatever its address did', async (context) => {
  const api = await openApi(SIGN_IN_NOW)
  context.after(() => api.close())
  const code = await api.settings.setupCode.create()
  const user = { email: 'first@example.com', name: 'First', password: PASSWORD }
  const ask = (given: string | null) =>
    createBrowser(api.url).ask('/v1/setup', { method: 'POST', body: { ...user, code: given } })
  for (let index = 0; index < MADE_UP; index++) assert.equal((await ask('made up')).status, 401)
  assert.equal((await ask('made up')).status, 429)
  assert.equal((await ask(code)).status, 201)
})

test('cookies of sessions that are over do not count', async () => {
  for (let index = 0; index < 40; index++) {
    const dead = `session_${String(index).padStart(16, '0')}.${'x'.repeat(43)}`
    const browser = createBrowser(scene.url, [['weir_session', dead]])
    assert.deepEqual(await errorCode(await browser.ask('/v1/session')), [401, 'unauthorized'])
  }
  assert.equal((await post('/v1/session', ADA)).status, 201)
})

test('attempts that come all at once are no more than one after the other', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => post('/v1/session', WRONG)))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [...Array<number>(5).fill(401), ...Array<number>(7).fill(429)])
})

test('who comes while too many are signing in waits five seconds and has not failed', async () => {
  const results: string[] = []
  const services = {
    settings: scene.settings,
    signInAttempts: createSignInAttempts(createMemoryCounters(scene.clock)),
    countSignIn: (result) => results.push(result),
  } as Partial<ApiServices> as ApiServices
  const attempt = { email: ADA.email, address: '203.0.113.5' }
  const tooMany = () => Promise.reject(new WeirError('rate_limited', 'Too many at once.'))
  for (let index = 0; index < 10; index++) {
    const checked = await limitAttempt(services, attempt, tooMany)
    assert.ok(checked.kind === 'wait')
    assert.equal(checked.answer.headers.get('retry-after'), '5')
  }
  const checked = await limitAttempt(services, attempt, () => Promise.resolve('proof'))
  assert.deepEqual(checked, { kind: 'right', proof: 'proof' })
  assert.deepEqual(results, Array<string>(10).fill('wait'))
  const broken = () => Promise.reject(new Error('The disk is gone.'))
  await assert.rejects(limitAttempt(services, attempt, broken), /The disk is gone/)
})

test('two clients behind a trusted proxy do not share a limit, and sessions name them', async () => {
  await failFrom(by('203.0.113.5'))
  assert.equal((await post('/v1/session', ADA, by('203.0.113.5'))).status, 429)
  const browser = scene.browser()
  const from = { browser, headers: { 'x-forwarded-for': '1.1.1.1, 203.0.113.6, 10.0.0.7' } }
  assert.equal((await post('/v1/session', ADA, from)).status, 201)
  const { rows } = sessionListSchema.parse(await (await browser.ask('/v1/sessions')).json())
  assert.deepEqual(
    rows.map(({ address }) => address),
    ['203.0.113.6'],
  )
  const filter = { noun: 'session', actorId: null, subjectId: null }
  const { entries } = await scene.settings.audit.list(filter, { before: null, rowsMax: 10 })
  const addresses = entries.map(({ changes }) => changes['address']?.after)
  assert.deepEqual(addresses, ['203.0.113.6', '203.0.113.5', '203.0.113.5'])
})

test('a proxy that writes Forwarded is read as well', async () => {
  const forwarded = (address: string): From => ({ headers: { forwarded: `for="${address}"` } })
  await failFrom(forwarded('[2001:db8::5]:4711'))
  assert.equal((await post('/v1/session', ADA, forwarded('[2001:db8::6]'))).status, 429)
  assert.equal((await post('/v1/session', ADA, forwarded('[2001:db8:0:1::6]'))).status, 201)
})

test('a header of a peer that is not trusted is not read', async (context) => {
  const open = await openSignInScene()
  context.after(() => open.close())
  const ask = (index: number) =>
    open.browser().ask('/v1/welcome', {
      method: 'POST',
      body: { code: 'made up', password: PASSWORD },
      headers: { 'x-forwarded-for': `203.0.113.${index}`, forwarded: `for=203.0.113.${index}` },
    })
  for (let index = 0; index < MADE_UP; index++) assert.equal((await ask(index)).status, 401)
  assert.equal((await ask(99)).status, 429)
})
