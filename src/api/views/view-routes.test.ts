import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Browser } from '../../../test/fakes/browser.ts'
import { errorCode, openSignInScene } from '../../../test/fakes/sign-in-scene.ts'
import type { SignInScene } from '../../../test/fakes/sign-in-scene.ts'
import { auditPageSchema, viewListSchema, viewSchema } from '../contract.ts'
import type { NewViewBody, ViewRow } from '../contract.ts'

let scene: SignInScene
let ada: Browser
let vera: Browser

beforeEach(async () => {
  scene = await openSignInScene()
  ada = await scene.signIn('ada@example.com')
  vera = await scene.signIn('vera@example.com')
})

afterEach(() => scene.close())

const VIEW: NewViewBody = {
  name: 'By model',
  page: 'explore',
  query: 'group_by=model&interval=day',
}

async function save(browser: Browser, change: Partial<NewViewBody> = {}): Promise<ViewRow> {
  const body = { ...VIEW, ...change }
  const response = await browser.ask('/v1/views', { method: 'POST', body })
  assert.equal(response.status, 201, await response.clone().text())
  return viewSchema.parse(await response.json())
}

async function list(browser: Browser): Promise<readonly ViewRow[]> {
  return viewListSchema.parse(await (await browser.ask('/v1/views')).json()).rows
}

test('a saved view is its owner’s alone until it is shared', async () => {
  const view = await save(vera)
  assert.match(view.id, /^view_[0-9a-f]{16}$/)
  assert.deepEqual(
    { ...view, id: '' },
    {
      id: '',
      ...VIEW,
      shared: false,
      owner: 'vera',
      is_own: true,
      can_change: true,
      created_at: '2026-03-15T12:00:00.000Z',
      updated_at: '2026-03-15T12:00:00.000Z',
    },
  )
  assert.deepEqual(await list(vera), [view])
  assert.deepEqual(await list(ada), [])
  // Not even an administrator is shown that it exists.
  const path = `/v1/views/${view.id}`
  const renamed = await ada.ask(path, { method: 'PATCH', body: { name: 'Mine' } })
  assert.deepEqual(await errorCode(renamed), [404, 'not_found'])
  assert.deepEqual(await errorCode(await ada.ask(path, { method: 'DELETE' })), [404, 'not_found'])

  scene.pass(60_000)
  const shared = await vera.ask(path, { method: 'PATCH', body: { shared: true } })
  const row = viewSchema.parse(await shared.json())
  assert.deepEqual([row.shared, row.updated_at], [true, '2026-03-15T12:01:00.000Z'])
  assert.deepEqual(
    (await list(ada)).map((each) => [each.id, each.owner, each.is_own, each.can_change]),
    [[view.id, 'vera', false, true]],
  )
})

test('a shared view is changed by its owner or an administrator, by no one else', async () => {
  const own = await save(ada, { shared: true })
  assert.deepEqual(
    (await list(vera)).map((each) => [each.is_own, each.can_change]),
    [[false, false]],
  )
  const path = `/v1/views/${own.id}`
  const renamed = await vera.ask(path, { method: 'PATCH', body: { name: 'Mine' } })
  assert.deepEqual(await errorCode(renamed), [403, 'scope_denied'])
  assert.deepEqual(await errorCode(await vera.ask(path, { method: 'DELETE' })), [
    403,
    'scope_denied',
  ])

  const other = await save(vera, { shared: true })
  const changed = await ada.ask(`/v1/views/${other.id}`, { method: 'PATCH', body: { name: 'New' } })
  assert.equal(viewSchema.parse(await changed.json()).name, 'New')
  const removed = await ada.ask(`/v1/views/${other.id}`, { method: 'DELETE' })
  assert.equal(viewSchema.parse(await removed.json()).id, other.id)
  assert.deepEqual(await list(vera), [{ ...own, is_own: false, can_change: false }])
})

test('a program reads the shared views and owns none', async () => {
  await save(vera, { name: 'Private' })
  await save(vera, { name: 'Shared', shared: true })
  const headers = { Authorization: await scene.authorize('read:usage') }
  const answer = await fetch(`${scene.url}/v1/views`, { headers })
  const { rows } = viewListSchema.parse(await answer.json())
  assert.deepEqual(
    rows.map((row) => [row.name, row.is_own, row.can_change]),
    [['Shared', false, false]],
  )
  const made = await fetch(`${scene.url}/v1/views`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(VIEW),
  })
  assert.deepEqual(await errorCode(made), [401, 'unauthorized'])
  const refused = await scene.get('/v1/views', await scene.authorize('read:keys'))
  assert.deepEqual(await errorCode(refused), [403, 'scope_denied'])
})

test('what cannot be a view is refused, and says why', async () => {
  await save(vera)
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ ...VIEW, name: ' ' }, /name must have 1 to 100 characters/],
    [{ ...VIEW, name: 'x'.repeat(101) }, /name must have 1 to 100 characters/],
    [{ ...VIEW, page: 'settings' }, /page must be one of explore, performance/],
    [{ ...VIEW, query: `a=${'b'.repeat(3999)}` }, /at most 4000 characters/],
    [{ ...VIEW, query: 'a=<script>' }, /query must be what follows the \?/],
    [{ ...VIEW, query: 'a=b#c' }, /query must be what follows the \?/],
    [{ ...VIEW, shared: 'yes' }, /shared must be true or false/],
    [{ ...VIEW, user_id: 'user_1' }, /user_id/],
    [VIEW, /a saved view of this name already\. Choose another name/],
  ]
  for (const [body, words] of cases) {
    const response = await vera.ask('/v1/views', { method: 'POST', body })
    const { error, code } = (await response.json()) as { error: string; code: string }
    assert.deepEqual([response.status, code], [400, 'invalid_parameter'], error)
    assert.match(error, words)
  }
  // Names are told apart by owner and by page.
  await save(ada)
  await save(vera, { page: 'performance', query: '' })
  const next = await save(vera, { name: 'Next' })
  const taken = await vera.ask(`/v1/views/${next.id}`, {
    method: 'PATCH',
    body: { name: VIEW.name },
  })
  assert.deepEqual(await errorCode(taken), [400, 'invalid_parameter'])
})

test('every change is in the audit log, in its user’s name', async () => {
  const { id } = await save(vera)
  const path = `/v1/views/${id}`
  await vera.ask(path, { method: 'PATCH', body: { shared: true } })
  await vera.ask(path, { method: 'PATCH', body: { shared: true } })
  await ada.ask(path, { method: 'DELETE' })
  const page = auditPageSchema.parse(await (await ada.ask('/v1/audit?noun=view')).json())
  assert.deepEqual(
    page.rows.map(({ action, actor, subject }) => [action, actor.name, subject.id]),
    [
      ['view.delete', 'ada@example.com', id],
      ['view.update', 'vera@example.com', id],
      ['view.create', 'vera@example.com', id],
    ],
  )
  assert.deepEqual(page.rows[1]?.changes, { shared: { before: false, after: true } })
})
