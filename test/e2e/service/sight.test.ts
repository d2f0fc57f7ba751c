// What a lead, a member and a team's token are answered by the real program, whose long questions
// are worked out in a thread of their own: the figures and calls of their team, and no word of
// anybody else's. All routes, in one process: test/sight/matrix.test.ts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { requestPageSchema, usageEnvelopeSchema } from '../../../src/api/contract.ts'
import type { UserLinkAnswer } from '../../../src/api/contract.ts'
import { parseCsv } from '../../exports/parse-csv.ts'
import { createBrowser } from '../../fakes/browser.ts'
import { untilKeyKnown } from '../../fakes/callers/until-key-known.ts'
import { PASSWORD } from '../../fakes/sign-in-scene.ts'
import { openScene } from '../scene.ts'
import type { CallerKey, Scene } from '../scene.ts'

type Get = (path: string) => Promise<Response>
type Whose = 'ours' | 'mine' | 'theirs' | 'nobodys'

const CALLS: Readonly<Record<Whose, number>> = { ours: 2, mine: 1, theirs: 3, nobodys: 4 }
const closes: (() => Promise<void>)[] = []
let scene: Scene
let month = ''
const ids: Record<Whose, string[]> = { ours: [], mine: [], theirs: [], nobodys: [] }
/** What no answer to those of the team may have. */
const secrets: string[] = ['zz-rival']

before(async () => {
  scene = await openScene({ after: (close) => closes.push(close) }, { PROXY_WORKERS: '1' })
  const { json } = scene.commands
  const { id } = await json<{ id: string }>('teams', 'create', '--name', 'zz-rivals', '--slug', 'r')
  await json('teams', 'create', '--name', 'Search', '--slug', 'search')
  for (const name of ['ada', 'linus', 'grace']) {
    const email = `${name}@example.com`
    await json('users', 'create', '--email', email, '--role', 'none')
    await json('teams', 'add', 'search', email, ...(name === 'grace' ? [] : ['--lead']))
  }
  const create = (...words: string[]) => json<CallerKey>('keys', 'create', '--name', ...words)
  const keys: Readonly<Record<Whose, CallerKey>> = {
    ours: await create('app', '--team', 'search'),
    mine: await create('laptop', '--team', 'search', '--personal', 'grace@example.com'),
    theirs: await create('zz-rival-app', '--team', 'r'),
    nobodys: scene.key,
  }
  await untilKeyKnown(scene.program.addresses.proxy, keys.theirs.key)
  const budget = ['--name', 'zz-rival-budget', '--limit-usd', '9', '--period', 'day']
  await json('budgets', 'create', ...budget, '--scope', 'team=r')
  for (const whose of ['ours', 'mine', 'theirs', 'nobodys'] as const) {
    while (ids[whose].length < CALLS[whose]) ids[whose].push(await call(keys[whose]))
  }
  for (const one of Object.values(ids).flat()) {
    month = new Date((await scene.record(one)).event.endedAt).toISOString().slice(0, 7)
  }
  secrets.push(id, keys.theirs.id, scene.key.id, ...ids.theirs, ...ids.nobodys)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function call({ key }: CallerKey): Promise<string> {
  const response = await fetch(`${scene.program.addresses.proxy}/v1/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-api-key': key },
    body: JSON.stringify({
      model: 'acme/writer',
      messages: [{ role: 'user', content: 'Name a river.' }],
      metadata: { cost: '0.01' },
    }),
  })
  assert.equal(response.status, 200, await response.text())
  return response.headers.get('x-svc-request-id') ?? ''
}

/** By the link that an invited person gets. */
async function signIn(name: string): Promise<Get> {
  const { commands, program } = scene
  const { path } = await commands.json<UserLinkAnswer>('users', 'link', `${name}@example.com`)
  const browser = createBrowser(program.addresses.api)
  const code = new URL(path, program.addresses.api).searchParams.get('code')
  const body = { code, password: PASSWORD }
  const begun = await browser.ask('/v1/welcome', { method: 'POST', body })
  assert.ok(begun.ok, await begun.text())
  return (asked) => browser.ask(asked)
}

async function withToken(): Promise<Get> {
  const scopes = ['read:usage', 'read:requests', 'read:keys'].flatMap((one) => ['--scope', one])
  const words = ['tokens', 'create', '--name', 'search', '--team', 'search', ...scopes]
  const { token } = await scene.commands.json<{ token: string }>(...words)
  const headers = { authorization: `Bearer ${token}` }
  return (path) => fetch(scene.program.addresses.api + path, { headers })
}

/** All that a console and a dashboard ask for; the files and most figures in a thread. */
const PATHS = [
  '/v1/keys',
  '/v1/teams',
  '/v1/budgets',
  '/v1/requests/summary',
  '/v1/breakdown?metric=cost_usd&window=today&dimension=api_key',
  '/v1/overview?group_by=api_key',
  '/v1/analysis?group_by=team&group_by=api_key',
  '/v1/analysis?group_by=person&limit=1',
  '/v1/exports/analysis.csv?group_by=team',
] as const

/** What every answer says, after the calls of `whose` alone. */
async function checkSight(get: Get, whose: readonly Whose[]): Promise<void> {
  const seen = whose.flatMap((one) => ids[one])
  const page = await read(get, '/v1/requests')
  const { rows, next_cursor: next } = requestPageSchema.parse(JSON.parse(page))
  assert.deepEqual([rows.map(({ id }) => id).toSorted(), next], [seen.toSorted(), null])
  const usage = await read(get, '/v1/usage?metric=requests&window=today')
  assert.equal(usageEnvelopeSchema.parse(JSON.parse(usage)).rows[0]?.value, seen.length)
  const asked = await read(get, '/v1/analysis?group_by=api_key')
  const { total } = JSON.parse(asked) as { total: { requests: number } }
  assert.equal(total.requests, seen.length)
  const file = parseCsv(await read(get, `/v1/exports/usage.csv?month=${month}`))
  assert.deepEqual(new Set(file.rows.map((row) => row['id'])), new Set(seen))
  const focus = parseCsv(await read(get, `/v1/exports/focus.csv?month=${month}`))
  assert.equal(focus.rows.length, seen.length)
  for (const path of PATHS) await read(get, path)
  for (const id of seen) assert.equal((await get(`/v1/requests/${id}`)).status, 200)
  for (const one of ['theirs', 'nobodys'] as const) {
    assert.equal((await get(`/v1/requests/${ids[one][0]}`)).status, 404)
  }
}

/** Fails where the answer has a word of somebody else's. */
async function read(get: Get, path: string): Promise<string> {
  const response = await get(path)
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  for (const secret of secrets) assert.ok(!text.includes(secret), `${path} has ${secret}: ${text}`)
  return text
}

test("a lead's session sees the calls and figures of their team, and nothing else", async () => {
  await checkSight(await signIn('ada'), ['ours', 'mine'])
})

test("a team's token sees the same", async () => {
  await checkSight(await withToken(), ['ours', 'mine'])
})

test("a member's session sees the calls of their own keys", async () => {
  await checkSight(await signIn('grace'), ['mine'])
})

test('who leads a team no more sees nothing of it from the next request on, and keeps the other', async () => {
  const { json } = scene.commands
  await json('teams', 'add', 'r', 'linus@example.com', '--lead')
  const get = await signIn('linus')
  const question = '/v1/usage?metric=requests&window=today'
  const both = usageEnvelopeSchema.parse(await (await get(question)).json())
  assert.equal(both.rows[0]?.value, CALLS.ours + CALLS.mine + CALLS.theirs)
  await json('teams', 'remove', 'r', 'linus@example.com')
  await checkSight(get, ['ours', 'mine'])
  await json('teams', 'remove', 'search', 'linus@example.com')
  for (const path of ['/v1/requests', question, ...PATHS])
    assert.equal((await get(path)).status, 403)
})

test('who sees the company has all of them, as before', async () => {
  const everyone = Object.values(ids).flat().length
  await scene.untilValue('metric=requests&window=today', everyone)
})
