import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Browser } from '../../../test/fakes/browser.ts'
import { errorCode, openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import { auditPageSchema, userLinkSchema, userListSchema, userSchema } from '../contract.ts'
import type { AuditPageAnswer } from '../contract.ts'

let scene: SignInScene
let admin: Browser

beforeEach(async () => {
  scene = await openSignInScene()
  admin = await scene.signIn('ada@example.com')
})

afterEach(() => scene.close())

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  admin.ask(path, { method, ...(body === undefined ? {} : { body }) })

async function readAudit(search = ''): Promise<AuditPageAnswer> {
  return auditPageSchema.parse(await (await admin.ask(`/v1/audit${search}`)).json())
}

test('a new user is let in, sets a password by the link, and is in the list', async () => {
  const body = { email: 'Grace@example.com', name: 'Grace', role: 'viewer' }
  const made = await send('POST', '/v1/users', body)
  assert.equal(made.status, 201)
  const { user, path, expires_at: expiresAt } = userLinkSchema.parse(await made.json())
  assert.deepEqual([user.email, user.has_password], ['grace@example.com', false])
  assert.equal(expiresAt, '2026-03-18T12:00:00.000Z')
  const code = /^\/welcome\?code=([\w-]{43})$/.exec(path)?.[1]
  const grace = scene.browser()
  const welcome = { code, password: 'a long password' }
  const signedIn = await grace.ask('/v1/welcome', { method: 'POST', body: welcome })
  assert.equal(signedIn.status, 201)
  const { rows } = userListSchema.parse(await (await admin.ask('/v1/users')).json())
  assert.deepEqual(
    rows.map(({ email, role, has_password: hasPassword }) => [email, role, hasPassword]),
    [
      ['ada@example.com', 'admin', true],
      ['vera@example.com', 'viewer', true],
      ['grace@example.com', 'viewer', true],
    ],
  )
  assert.ok(!JSON.stringify(rows).includes('scrypt'))
})

test('a new link takes the place of the one before', async () => {
  const path = `/v1/users/${scene.viewer.id}/link`
  const first = userLinkSchema.parse(await (await send('POST', path)).json())
  const second = userLinkSchema.parse(await (await send('POST', path)).json())
  const redeem = (link: string) => {
    const body = { code: link.slice('/welcome?code='.length), password: 'a long password' }
    return scene.browser().ask('/v1/welcome', { method: 'POST', body })
  }
  assert.equal((await redeem(first.path)).status, 401)
  assert.equal((await redeem(second.path)).status, 201)
})

test('a user is renamed, promoted, disabled and removed', async () => {
  const path = `/v1/users/${scene.viewer.id}`
  const changed = await send('PATCH', path, { name: 'V', role: 'admin', is_disabled: true })
  const user = userSchema.parse(await changed.json())
  assert.deepEqual([user.name, user.role, user.is_disabled], ['V', 'admin', true])
  const removed = await send('DELETE', path)
  assert.deepEqual(userSchema.parse(await removed.json()), user)
  for (const [method, at] of [
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/link`],
  ] as const) {
    const answer = await send(method, at, method === 'PATCH' ? {} : undefined)
    assert.deepEqual(await errorCode(answer), [404, 'not_found'])
  }
})

test('there is always an administrator who can sign in', async () => {
  const path = `/v1/users/${scene.admin.id}`
  // Made, but never let in: not a user who could help.
  await send('POST', '/v1/users', { email: 'b@example.com', name: 'B', role: 'admin' })
  for (const attempt of [
    () => send('DELETE', path),
    () => send('PATCH', path, { role: 'viewer' }),
    () => send('PATCH', path, { is_disabled: true }),
  ]) {
    assert.deepEqual(await errorCode(await attempt()), [400, 'invalid_parameter'])
  }
  await scene.addUser('c@example.com', 'admin')
  assert.equal((await send('DELETE', path)).status, 200)
  assert.equal((await admin.ask('/v1/session')).status, 401)
})

test('what is wrong with a body is named, all of it', async () => {
  const answer = await send('POST', '/v1/users', { email: 'x', name: '', role: 'root', more: 1 })
  assert.equal(answer.status, 400)
  const { error } = (await answer.json()) as { readonly error: string }
  for (const word of [
    /email must/,
    /name must/,
    /role must be one of admin, finance, viewer, none/,
    /more/,
  ]) {
    assert.match(error, word)
  }
  const taken = await send('POST', '/v1/users', {
    email: 'VERA@example.com',
    name: 'V',
    role: 'viewer',
  })
  assert.deepEqual(await errorCode(taken), [400, 'invalid_parameter'])
})

test('the audit log says who changed what, by pages and by kind', async () => {
  await send('PATCH', `/v1/users/${scene.viewer.id}`, { role: 'admin' })
  const authorization = await scene.authorize('admin')
  await fetch(`${scene.url}/v1/users/${scene.viewer.id}`, {
    method: 'PATCH',
    headers: { authorization },
    body: JSON.stringify({ name: 'Vera' }),
  })
  const { rows } = await readAudit('?noun=user&limit=2')
  assert.deepEqual(
    rows.map(({ action, actor, changes }) => [action, actor.kind, actor.name, changes]),
    [
      ['user.update', 'token', 'test', { name: { before: 'vera', after: 'Vera' } }],
      ['user.update', 'user', 'ada@example.com', { role: { before: 'viewer', after: 'admin' } }],
    ],
  )
  const all = (await readAudit()).rows
  const paged: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await readAudit(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    paged.push(...page.rows.map(({ number }) => number))
    cursor = page.next_cursor
  }
  assert.deepEqual(
    paged,
    all.map(({ number }) => number),
  )
  const byAda = (await readAudit(`?actor=${scene.admin.id}`)).rows
  assert.deepEqual([...new Set(byAda.map(({ actor }) => actor.id))], [scene.admin.id])
  const ofVera = (await readAudit(`?subject=${scene.viewer.id}`)).rows
  assert.deepEqual([...new Set(ofVera.map(({ subject }) => subject.id))], [scene.viewer.id])
  const day = all.at(-1)?.at.slice(0, 10) ?? ''
  for (const [search, wanted] of [
    ['?action=user.update', ['user.update']],
    [`?actor=ada@example.com&action=user.update&from=${day}`, ['user.update']],
    [`?to=${day}`, []],
  ] as const) {
    const actions = (await readAudit(search)).rows.map(({ action }) => action)
    assert.deepEqual([...new Set(actions)], wanted, search)
  }
  const file = await admin.ask('/v1/exports/audit.csv?action=user.update')
  const csv = parseCsv(await file.text())
  assert.deepEqual(
    csv.rows.map((row) => [row['action'], row['actor_name'], row['changes']]),
    [
      ['user.update', 'test', '{"name":{"before":"vera","after":"Vera"}}'],
      ['user.update', 'ada@example.com', '{"role":{"before":"viewer","after":"admin"}}'],
    ],
  )
  for (const search of [
    '?action=key',
    '?limit=501',
    '?cursor=x',
    '?cursor=0',
    '?noun=',
    '?other=1',
  ]) {
    assert.deepEqual(await errorCode(await admin.ask(`/v1/audit${search}`)), [
      400,
      'invalid_parameter',
    ])
  }
})

test('scripts in a name stay text', async () => {
  const name = '<script>alert(1)</script>'
  const made = await send('POST', '/v1/users', { email: 'x@example.com', name, role: 'viewer' })
  assert.match(made.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(made.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(userLinkSchema.parse(await made.json()).user.name, name)
})
