import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { createBrowser } from '../../../test/fakes/browser.ts'
import type { Browser } from '../../../test/fakes/browser.ts'
import { PASSWORD, errorCode, openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { systemClock } from '../../core/clock.ts'
import { sessionListSchema, sessionSchema } from '../contract.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const CLEARED = 'weir_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'
const ADA = 'ada@example.com'

let scene: SignInScene

beforeEach(async () => {
  scene = await openSignInScene()
})

afterEach(() => scene.close())

const secretOf = (browser: Browser): string => browser.cookies.get('weir_session') ?? ''
const copyOf = (browser: Browser): Browser => createBrowser(scene.url, browser.cookies)

/** It ended: the answer says so, and the browser forgets it. */
async function assertEnded(browser: Browser): Promise<void> {
  const response = await browser.ask('/v1/usage?metric=cost_usd&window=today')
  assert.deepEqual(response.headers.getSetCookie(), [CLEARED])
  assert.deepEqual(await errorCode(response), [401, 'unauthorized'])
}

test('who signs out is signed out in the store, not only in the browser', async () => {
  const browser = await scene.signIn(ADA)
  const copy = copyOf(browser)
  const response = await browser.ask('/v1/session', { method: 'DELETE' })
  assert.equal(response.status, 204)
  assert.deepEqual(response.headers.getSetCookie(), [CLEARED])
  // The other one signs no one in.
  assert.deepEqual([...browser.cookies.keys()], ['weir_browser'])
  await assertEnded(copy)
  const again = await browser.ask('/v1/session', { method: 'DELETE' })
  assert.equal(again.status, 204)
})

test('a session ends after a week, however much it is used', async () => {
  const browser = await scene.signIn(ADA)
  for (let hour = 0; hour < 7 * 24 - 1; hour += 12) {
    scene.pass(hour === 0 ? 0 : 12 * HOUR_MS)
    assert.equal((await browser.ask('/v1/session')).status, 200)
  }
  scene.pass(12 * HOUR_MS - 1)
  assert.equal((await browser.ask('/v1/session')).status, 200)
  scene.pass(1)
  await assertEnded(browser)
})

test('a session that is not used for a day ends, and using it keeps it', async () => {
  const browser = await scene.signIn(ADA)
  scene.pass(24 * HOUR_MS)
  assert.equal((await browser.ask('/v1/session')).status, 200)
  scene.pass(24 * HOUR_MS + 2 * MINUTE_MS)
  await assertEnded(browser)
})

test('every quarter of an hour of use brings a new secret, on whatever answer comes next', async () => {
  const browser = await scene.signIn(ADA)
  const first = secretOf(browser)
  scene.pass(15 * MINUTE_MS - 1)
  await browser.ask('/v1/info')
  assert.equal(secretOf(browser), first)
  scene.pass(1)
  const copy = copyOf(browser)
  const response = await browser.ask('/v1/usage?metric=cost_usd&window=today')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(cookie, /; Max-Age=603900; HttpOnly; SameSite=Strict$/)
  const second = secretOf(browser)
  assert.notEqual(second, first)
  assert.equal(second.split('.')[0], first.split('.')[0])
  // What was under way with the old secret still passes, and is given no other.
  const late = await copy.ask('/v1/session')
  assert.deepEqual([late.status, late.headers.getSetCookie()], [200, []])
  assert.equal((await browser.ask('/v1/session')).status, 200)
  // Behind the grace, who still has the old secret was not the browser.
  scene.pass(MINUTE_MS)
  await assertEnded(copy)
  await assertEnded(browser)
})

test('a new secret that is lost on its way leaves the browser signed in', async () => {
  const browser = await scene.signIn(ADA)
  scene.pass(15 * MINUTE_MS)
  const lost = await copyOf(browser).ask('/v1/budgets')
  assert.equal(lost.headers.getSetCookie().length, 1)
  scene.pass(2 * MINUTE_MS)
  assert.equal((await browser.ask('/v1/session')).status, 200)
  scene.pass(13 * MINUTE_MS)
  const first = secretOf(browser)
  await browser.ask('/v1/session')
  assert.notEqual(secretOf(browser), first)
  assert.equal((await browser.ask('/v1/session')).status, 200)
})

test('an answer stands, at once, while the settings are locked and no new secret can be had', async () => {
  const browser = await scene.signIn(ADA)
  const first = secretOf(browser)
  scene.pass(15 * MINUTE_MS)
  const other = new DatabaseSync(join(scene.dir, 'settings.db'))
  other.exec('BEGIN IMMEDIATE')
  const startedAt = systemClock.monotonic()
  const answer = await browser.ask('/v1/budgets')
  // The store waits five seconds for what is worth it.
  assert.ok(systemClock.monotonic() - startedAt < 4000)
  other.exec('ROLLBACK')
  other.close()
  assert.equal(answer.status, 200)
  assert.match(scene.logged.join(), /A session was not given a new secret/)
  assert.equal(secretOf(browser), first)
  await browser.ask('/v1/budgets')
  assert.notEqual(secretOf(browser), first)
})

test('of requests that come at once, one brings the new secret and all are answered', async () => {
  const browser = await scene.signIn(ADA)
  scene.pass(15 * MINUTE_MS)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => copyOf(browser).ask('/v1/budgets')),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array<number>(8).fill(200),
  )
  const cookies = answers.flatMap(({ headers }) => headers.getSetCookie())
  assert.equal(cookies.length, 1)
})

test('a refusal brings the new secret as well', async () => {
  const browser = await scene.signIn('vera@example.com')
  const first = secretOf(browser)
  scene.pass(15 * MINUTE_MS)
  assert.equal((await browser.ask('/v1/users')).status, 403)
  assert.notEqual(secretOf(browser), first)
  assert.equal((await browser.ask('/v1/session')).status, 200)
})

test('one sees where one is signed in, and signs out elsewhere', async () => {
  const here = await scene.signIn(ADA)
  scene.pass(1000)
  const elsewhere = await scene.signIn(ADA)
  const stranger = await scene.signIn('vera@example.com')
  const { rows } = sessionListSchema.parse(await (await here.ask('/v1/sessions')).json())
  assert.deepEqual(
    rows.map(({ is_current: isCurrent, agent, address }) => [isCurrent, agent, address]),
    [
      [false, 'a browser', '127.0.0.1'],
      [true, 'a browser', '127.0.0.1'],
    ],
  )
  assert.ok(!JSON.stringify(rows).includes(secretOf(here).split('.')[1] ?? ''))
  const path = `/v1/sessions/${rows[0]?.id}`
  assert.equal((await stranger.ask(path, { method: 'DELETE' })).status, 404)
  const left = await here.ask(path, { method: 'DELETE' })
  assert.deepEqual(
    sessionListSchema.parse(await left.json()).rows.map(({ id }) => id),
    [rows[1]?.id],
  )
  await assertEnded(elsewhere)
  assert.equal((await here.ask(path, { method: 'DELETE' })).status, 404)
  const own = await here.ask(`/v1/sessions/${rows[1]?.id}`, { method: 'DELETE' })
  assert.deepEqual(own.headers.getSetCookie(), [CLEARED])
  assert.equal((await stranger.ask('/v1/session')).status, 200)
})

test("a session that was idle for too long is not among one's own", async () => {
  await scene.signIn(ADA)
  scene.pass(24 * HOUR_MS + 1)
  const here = await scene.signIn(ADA)
  const { rows } = sessionListSchema.parse(await (await here.ask('/v1/sessions')).json())
  assert.deepEqual(
    rows.map(({ is_current: isCurrent }) => isCurrent),
    [true],
  )
})

test('a new password ends every other session, and gives this one a new secret', async () => {
  const here = await scene.signIn(ADA)
  const elsewhere = await scene.signIn(ADA)
  const stolen = copyOf(here)
  const change = (body: object) => here.ask('/v1/session/password', { method: 'POST', body })
  const password = 'an even longer one'
  const wrong = await change({ current_password: 'wrong', password })
  assert.deepEqual(await errorCode(wrong), [400, 'invalid_parameter'])
  const changed = await change({ current_password: PASSWORD, password })
  assert.equal(sessionSchema.parse(await changed.json()).user.email, ADA)
  await assertEnded(elsewhere)
  assert.equal((await here.ask('/v1/session')).status, 200)
  assert.notEqual(secretOf(here), secretOf(stolen))
  // Again within the minute: the secret is not rotated twice, so the session makes room for
  // another.
  const second = await change({ current_password: password, password: PASSWORD })
  assert.equal(second.status, 200)
  await assertEnded(stolen)
  assert.equal((await here.ask('/v1/session')).status, 200)
  const signIn = (given: string) =>
    scene.browser().ask('/v1/session', { method: 'POST', body: { email: ADA, password: given } })
  assert.equal((await signIn(password)).status, 401)
  assert.equal((await signIn(PASSWORD)).status, 201)
})

test('the current password cannot be guessed for long', async () => {
  const browser = await scene.signIn(ADA)
  const body = { current_password: 'wrong', password: 'an even longer one' }
  const statuses: number[] = []
  for (let index = 0; index < 6; index++) {
    const answer = await browser.ask('/v1/session/password', { method: 'POST', body })
    statuses.push(answer.status)
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
})

test('a token is no session', async () => {
  const authorization = await scene.authorize('admin')
  for (const path of ['/v1/session', '/v1/sessions']) {
    assert.deepEqual(await errorCode(await scene.get(path, authorization)), [401, 'unauthorized'])
  }
})

test('who is disabled, given another role or removed is signed out at once', async () => {
  const { users } = scene.settings
  for (const end of [
    (id: string) => users.update(id, { isDisabled: true }),
    (id: string) => users.update(id, { role: 'viewer' }),
    (id: string) => users.remove(id),
  ]) {
    const email = `a${scene.clock.nowMs}@example.com`
    const { id } = await scene.addUser(email, 'admin')
    const browser = await scene.signIn(email)
    await end(id)
    await assertEnded(browser)
    scene.pass(1)
  }
})
