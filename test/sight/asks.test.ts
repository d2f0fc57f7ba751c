// Asking for more than a limit, from the member who asks to the limit that they have afterwards.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askListSchema, askSchema } from '../../src/api/contract.ts'
import type { AskRow } from '../../src/api/contract.ts'
import { ASKS_OPEN_MAX } from '../../src/core/asks/ask.ts'
import { openSightScene } from './sight-scene.ts'
import type { CallerName, SightScene } from './sight-scene.ts'

let scene: SightScene
let key: string
let rule: string

before(async () => {
  scene = await openSightScene()
  key = scene.own['personal key'] ?? ''
  rule = scene.own['rule'] ?? ''
  // What the scene has is the matrix's.
  for (const { id } of await list('lead')) await send('lead', `POST /v1/asks/${id}/decline`, {})
})

after(() => scene.api.close())

const toAsk = (more: object = {}) => {
  return { kind: 'budget', key_id: key, budget_id: rule, amount_usd: 10, ...more }
}

async function refusal(caller: CallerName, place: string, body: object): Promise<string> {
  const { status, text } = await scene.ask(caller, place, body)
  return `${status} ${(JSON.parse(text) as { error: string }).error}`
}

async function send(caller: CallerName, place: string, body: object): Promise<AskRow> {
  const { status, text } = await scene.ask(caller, place, body)
  assert.ok(status < 300, text)
  return askSchema.parse(JSON.parse(text))
}

async function list(caller: CallerName, query = ''): Promise<readonly AskRow[]> {
  const { text } = await scene.ask(caller, `GET /v1/asks${query}`)
  return askListSchema.parse(JSON.parse(text)).rows
}

async function readLimit(caller: CallerName, id: string): Promise<number | undefined> {
  const { text } = await scene.ask(caller, `GET /v1/keys/${id}/budgets`)
  const { rows } = JSON.parse(text) as { rows: { id: string; limit_usd: number }[] }
  return rows.find((row) => row.id === rule)?.limit_usd
}

test('a lead gives one member more, within what the team has, and the others keep their limit', async () => {
  const ask = await send('member', 'POST /v1/asks', toAsk({ note: 'evaluations' }))
  assert.deepEqual(
    [ask.status, ask.limit_usd, ask.amount_usd, ask.person, ask.budget, ask.period],
    ['open', 4, 10, 'member@example.com', 'own-rule', 'month'],
  )
  assert.equal((await list('lead', '?status=open&team=own-team'))[0]?.id, ask.id)
  const approve = `POST /v1/asks/${ask.id}/approve`
  assert.match(await refusal('member', approve, {}), /^403/)
  assert.match(await refusal('viewer', approve, {}), /^403/)
  assert.match(await refusal('lead', approve, {}), /^400 .*The team itself has 1 USD: \w+-budget/)
  const { budgets } = scene.api.settings
  for (const { id, each, scope } of await budgets.list()) {
    const isOfTeam = each === 'none' && scope.kind === 'dim' && scope.value === scene.own['teams']
    if (isOfTeam) await budgets.update(id, { limit: 100n * 10n ** 12n })
  }
  const approved = await send('lead', approve, { amount_usd: 9, note: 'until May' })
  assert.deepEqual(
    [approved.status, approved.granted_usd, approved.answer, approved.decided_by],
    ['approved', 9, 'until May', 'lead@example.com'],
  )
  assert.equal(await readLimit('member', key), 9)
  assert.equal(await readLimit('lead', scene.own['keys'] ?? ''), 4)
  assert.match(await refusal('lead', approve, {}), /^400 .*approved already/)
  const { text } = await scene.ask('lead', `GET /v1/budgets/${rule}/members`)
  const { rows } = JSON.parse(text) as { rows: { id: string; limit_usd: number }[] }
  const limits = rows.map(({ limit_usd: limit }) => limit)
  assert.deepEqual(new Set(limits), new Set([4, 9]))
  const { text: audit } = await scene.ask('lead', 'GET /v1/audit')
  for (const action of ['ask.create', 'ask.approve']) assert.ok(audit.includes(action), action)
})

test('only what limits the asker alone is asked for, and by people', async () => {
  const cases: [CallerName, object, RegExp][] = [
    ['member', { amount_usd: 3 }, /^400 .*more than the limit is now/],
    ['member', { budget_id: scene.own['budgets'] }, /^400 .*limits this key, or you, alone/],
    ['member', { key_id: scene.own['keys'] }, /^400 .*a personal key of yours/],
    ['lead', {}, /^400 .*a personal key of yours/],
    ['team token', {}, /^400 .*programs do not/],
    ['stranger', {}, /^403/],
    ['member', { kind: 'limit' }, /^400 .*note must say/],
    ['member', { note: 'x'.repeat(501) }, /^400 .*note/],
  ]
  for (const [caller, more, sent] of cases) {
    assert.match(await refusal(caller, 'POST /v1/asks', toAsk(more)), sent, JSON.stringify(more))
  }
})

test('what a team gives its keys is exceeded by a lead only within a budget of the team', async () => {
  const place = `POST /v1/teams/${scene.own['teams']}/key-budget`
  const { text } = await scene.ask('admin', place, { limit_usd: 5, period: 'day' })
  const { budget_id: id } = (JSON.parse(text) as { key_budget: { budget_id: string } }).key_budget
  const ask = await send('member', 'POST /v1/asks', toAsk({ budget_id: id }))
  const approve = `POST /v1/asks/${ask.id}/approve`
  assert.match(await refusal('lead', approve, {}), /^403 The team has no budget of its own/)
  assert.equal((await send('finance', approve, {})).granted_usd, 10)
})

test('an answer reaches the asker, targets and people are told, and asks are bounded', async () => {
  const words = { kind: 'limit', team_id: 'own-team', note: 'gpt-5, please' }
  const ask = await send('member', 'POST /v1/asks', words)
  await send('lead', `POST /v1/asks/${ask.id}/decline`, { note: 'Next month.' })
  const [newest] = await list('member')
  assert.deepEqual(
    [newest?.id, newest?.status, newest?.answer],
    [ask.id, 'declined', 'Next month.'],
  )
  const { alerts } = await scene.api.settings.alerts.list({ before: null, rowsMax: 10 })
  const sent = alerts
    .map(({ kind, body }) => ({ kind, data: JSON.parse(body).data }))
    .filter(({ data }) => data.ask?.id === ask.id)
  assert.deepEqual(
    sent.map(({ kind, data }) => [kind, data.recipients[0].email, data.console_url]),
    [
      ['ask.decided', 'member@example.com', '/my-keys'],
      ['ask.created', 'lead@example.com', `/teams/${scene.own['teams']}?tab=asks`],
    ],
  )
  for (let open = 0; open < ASKS_OPEN_MAX; open += 1) await send('member', 'POST /v1/asks', words)
  assert.match(await refusal('member', 'POST /v1/asks', words), /^400 You have 5 open asks/)
  const [last] = await list('member', '?status=open')
  assert.equal((await send('member', `POST /v1/asks/${last?.id}/withdraw`, {})).status, 'closed')
  await scene.api.settings.users.update(scene.memberId, { isDisabled: true })
  assert.deepEqual(await list('lead', '?status=open'), [])
  assert.ok((await list('lead', '?status=closed')).length >= ASKS_OPEN_MAX)
})
