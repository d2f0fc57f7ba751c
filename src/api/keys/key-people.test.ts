import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi, openApiBeside } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../resources/codecs.ts'
import { keyPageSchema, keyRowSchema } from '../contract.ts'

let api: OpenApi
let authorization: string

before(async () => {
  api = await openApi(Date.parse('2026-03-19T12:00:00.000Z'))
  authorization = await api.authorize('read:keys')
})

after(() => api.close())

const invite = (email: string, name: string) =>
  api.settings.users.create({ email, name, role: 'none', passwordHash: null, subject: null })

async function makeTeam(slug: string, parentId: string | null = null) {
  const made = TEAM_CODEC.fromNew({ name: slug, slug })
  return (await api.settings.teams.create({ ...made, parentId })).id
}

const lead = (teamId: string, userId: string) =>
  api.settings.teams.join({ teamId, userId, role: 'lead', source: 'hand' })

async function make(owner: string | null, teamId: string | null = null): Promise<string> {
  const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: 'key', owner, teamId })
  return key.id
}

/** Whom it names, and who looks after it. */
async function readOwner(id: string, url = api.url) {
  const answer = await fetch(`${url}/v1/keys/${id}`, { headers: { authorization } })
  const row = keyRowSchema.parse(await answer.json())
  return [row.owner, row.owner_id, row.owner_name, row.looked_after_by.join(' ')]
}

test('an owner is the user of that address, and any other text stays one', async () => {
  const ada = await invite('ada@example.com', 'Ada')
  const named = ['Ada@Example.com', ada.id, 'Ada', 'ada@example.com']
  assert.deepEqual(await readOwner(await make('Ada@Example.com')), named)
  for (const text of ['ada', 'Ada <ada@example.com>', 'gone@example.com', null]) {
    assert.deepEqual(await readOwner(await make(text)), [text, null, null, ''])
  }
  const list = await fetch(`${api.url}/v1/keys?search=ADA@EX`, { headers: { authorization } })
  const { rows } = keyPageSchema.parse(await list.json())
  assert.deepEqual(rows.map((row) => String(row.owner_id)).toSorted(), ['null', ada.id])
})

test('a service key of who is disabled passes to the leads, and back', async (t) => {
  const beside = await openApiBeside(api)
  t.after(() => beside.close())
  const { users } = api.settings
  const eve = await invite('eve@example.com', 'Eve')
  const lee = await invite('lee@example.com', 'Lee')
  const teamId = await makeTeam('search', await makeTeam('engineering'))
  await lead(teamId, lee.id)
  await lead(teamId, eve.id)
  const id = await make(eve.email, teamId)
  const about = [eve.email, eve.id, 'Eve'] as const
  assert.deepEqual(await readOwner(id), [...about, eve.email])
  await users.update(eve.id, { isDisabled: true })
  for (const url of [api.url, beside.url]) {
    assert.deepEqual(await readOwner(id, url), [...about, lee.email])
  }
  await users.update(eve.id, { isDisabled: false })
  assert.deepEqual(await readOwner(id, beside.url), [...about, eve.email])
  await users.remove(eve.id)
  assert.deepEqual(await readOwner(id), [eve.email, null, null, lee.email])
})

test('a team without leads has those of its department', async () => {
  const head = await invite('head@example.com', 'Head')
  const departmentId = await makeTeam('department')
  const teamId = await makeTeam('leaderless', departmentId)
  await lead(departmentId, head.id)
  assert.equal((await readOwner(await make('some text', teamId)))[3], head.email)
  await api.settings.users.update(head.id, { isDisabled: true })
  assert.equal((await readOwner(await make(head.email, teamId)))[3], '')
})

test('an owner whose address changes stays the owner', async () => {
  const { settings } = api
  const { id: userId } = await invite('old@example.com', 'Kim')
  const id = await make('Old@example.com')
  await settings.users.update(userId, { email: 'new@example.com' })
  const named = ['new@example.com', userId, 'Kim', 'new@example.com']
  assert.deepEqual(await readOwner(id), named)
})
