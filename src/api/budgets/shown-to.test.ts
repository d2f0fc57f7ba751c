import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { TokenScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { budgetSchema, changedBudgetSchema, targetRowSchema } from '../contract.ts'
import type { AlertRow } from '../contract.ts'
import { toShownAlert } from './shown-to.ts'

const AT = '2026-03-15T12:00:00.000Z'
const NOW = Date.parse(AT)
const BUDGET = { name: 'a', limit_usd: 1, period: 'month', scope: 'global', blocking: true }
const INSIDE = 'The target db.corp.example resolves to 10.0.0.5.'
const NOT_SHOWN = 'not delivered; scope admin shows why'

let api: OpenApi
let reservedId = ''

before(async () => {
  api = await openApi(NOW, () => ({
    checkTarget: (_kind, _address, { canResolve }) => Promise.resolve(canResolve ? INSIDE : null),
    sendTest: () => Promise.resolve({ isDelivered: false, detail: INSIDE }),
    reservations: () => new Map([[reservedId, { running: 3, reserved: 5n * 10n ** 11n }]]),
  }))
  const call = { startedAt: NOW - 2000, endedAt: NOW - 1000 }
  await api.store.writeBatch(batchOf(createRecord(call, { amount: 3n * 10n ** 12n })))
})

after(() => api.close())

async function ask(authorization: string, place: string, body?: object) {
  const [method = '', path = ''] = place.split(' ')
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

function alertOf(data: AlertRow['body']['data']): AlertRow {
  const [type, deliveries] = ['spend.anomaly', []] as const
  return {
    id: 'msg_1',
    type,
    budget_id: null,
    at: AT,
    body: { type, timestamp: AT, data },
    incident: null,
    deliveries: [...deliveries],
  }
}

const token = (...scopes: TokenScope[]): Caller => ({
  kind: 'token',
  id: 'svc_agt_1',
  name: 'test',
  userId: null,
  sight: null,
  scopes,
})

type DeliveryRow = AlertRow['deliveries'][number]
type AttemptRow = DeliveryRow['attempts'][number]

const DELIVERY: Omit<DeliveryRow, 'attempts'> = {
  target_id: 'tgt_1',
  kind: 'email',
  address: 'a@b.example',
  state: 'pending',
  next_at: null,
}

const OF_KEY = { subject: { kind: 'api_key', name: 'svc_k_1' }, day: '2026-03-15' }
const OF_SEVERAL = {
  subjects: [OF_KEY.subject, { kind: 'dim', name: 'team=a' }],
} as const
const OF_TEAM = {
  subject: { kind: 'dim', name: 'team=a' },
  calls_url: '/requests?dim_key=team&dim_value=a',
} as const
const OF_KEY_BUDGET = { budget: { id: 'bud_1', scope: 'api_key=svc_k_1' }, spent_usd: 1 }

/** What is in the body, and what is shown of it to who may only read usage. */
const ROWS = [
  [OF_KEY, { subject: { kind: 'api_key', name: '…' }, day: '2026-03-15' }],
  [
    { ...OF_KEY, calls_url: '/requests?api_key=svc_k_1' },
    { subject: { kind: 'api_key', name: '…' }, day: '2026-03-15', calls_url: null },
  ],
  [OF_TEAM, OF_TEAM],
  [OF_SEVERAL, { subjects: [{ kind: 'api_key', name: '…' }, OF_SEVERAL.subjects[1]] }],
  [OF_KEY_BUDGET, { budget: { id: 'bud_1', scope: 'api_key=…' }, spent_usd: 1 }],
  [{ subject: { kind: 'dim', name: 'team=a' } }, { subject: { kind: 'dim', name: 'team=a' } }],
  [{ budget: { scope: 'dim:api_key=x' } }, { budget: { scope: 'dim:api_key=x' } }],
  [{ target_id: 'tgt_1' }, { target_id: 'tgt_1' }],
] as const

test('who may not read keys is not shown which key an alert is about', () => {
  for (const [data, shown] of ROWS) {
    assert.deepEqual(toShownAlert(alertOf(data), token('read:usage')).body.data, shown)
    for (const scope of ['read:keys', 'write:budgets', 'admin'] as const) {
      assert.deepEqual(toShownAlert(alertOf(data), token('read:usage', scope)).body.data, data)
    }
  }
})

const NETWORK_DETAILS = [
  ['200', true, '200'],
  ['250 queued', true, '250 queued'],
  ['500', false, '500'],
  ['307, redirects are not followed', false, '307, redirects are not followed'],
  ['the name db.corp.example cannot be resolved', false, NOT_SHOWN],
  ['the connection was refused', false, NOT_SHOWN],
] as const

test('why nothing was delivered is shown to people and to scope admin', () => {
  const detailOf = (attempt: AttemptRow, caller: Caller): string | undefined => {
    const delivery = { ...DELIVERY, attempts: [attempt] }
    const shown = toShownAlert({ ...alertOf({}), deliveries: [delivery] }, caller)
    return shown.deliveries[0]?.attempts[0]?.detail
  }
  const person: Caller = { ...token('read:usage'), kind: 'session', userId: 'usr_1' }
  for (const [detail, delivered, shown] of NETWORK_DETAILS) {
    const attempt = { at: AT, delivered, detail }
    assert.equal(detailOf(attempt, token('read:usage', 'write:budgets')), shown)
    assert.equal(detailOf(attempt, token('admin')), detail)
    assert.equal(detailOf(attempt, person), detail)
  }
})

const SPEND = [
  'spent_usd',
  'spent_percent',
  'is_exceeded',
  'forecast_usd',
  'unpriced_requests',
  'unknown_cost_usd',
  'forecast_from',
  'running_calls',
  'reserved_usd',
  'overshoot_max_usd',
]

test('who may change budgets and read nothing learns of no spend from the answers', async () => {
  const changer = await api.authorize('write:budgets')
  const answerOf = async (place: string, body?: object) => {
    const { status, body: answer } = await ask(changer, place, body)
    assert.ok(status < 300, JSON.stringify(answer))
    return changedBudgetSchema.parse(answer)
  }
  const made = await answerOf('POST /v1/budgets', BUDGET)
  reservedId = made.id
  const path = `/v1/budgets/${made.id}`
  const answers = [
    made,
    await answerOf(`PATCH ${path}`, { limit_usd: 2 }),
    await answerOf(`POST ${path}/targets`, { kind: 'email', address: 'a@b.example' }),
  ]
  const whole = budgetSchema.parse(
    (await ask(await api.authorize('read:usage'), `GET ${path}`)).body,
  )
  assert.deepEqual([whole.spent_usd, whole.is_exceeded, whole.running_calls], [3, true, 3])
  answers.push(await answerOf(`DELETE ${path}`))
  for (const answer of answers) {
    assert.deepEqual(Object.keys(answer), Object.keys(whole))
    for (const [name, value] of Object.entries(answer)) {
      assert.equal(
        value === null,
        [...SPEND, 'scope_name', 'default_of', 'members'].includes(name),
        name,
      )
    }
  }
})

test('who may read usage as well is shown all of it', async () => {
  for (const scopes of [['write:budgets', 'read:usage'], ['admin']] as const) {
    const { body } = await ask(await api.authorize(...scopes), 'POST /v1/budgets', BUDGET)
    assert.equal(budgetSchema.parse(body).spent_usd, 3)
  }
})

test('whether a name resolves inside the network is for scope admin to know', async () => {
  const admin = await api.authorize('admin')
  const changer = await api.authorize('write:budgets', 'read:usage')
  const target = { kind: 'webhook', address: 'https://db.corp.example/' }
  const budget = { ...BUDGET, targets: [target] }
  const { id } = budgetSchema.parse((await ask(changer, 'POST /v1/budgets', BUDGET)).body)
  for (const [place, body] of [
    ['POST /v1/budgets', budget],
    [`POST /v1/budgets/${id}/targets`, target],
    ['POST /v1/targets', target],
  ] as const) {
    const refused = await ask(admin, place, body)
    assert.deepEqual(refused, { status: 400, body: { error: INSIDE, code: 'invalid_parameter' } })
    assert.equal((await ask(changer, place, body)).status, 201, place)
  }
  const mail = { kind: 'email', address: 'b@b.example' }
  const made = targetRowSchema.parse((await ask(changer, 'POST /v1/targets', mail)).body)
  for (const [caller, detail] of [
    [changer, NOT_SHOWN],
    [admin, INSIDE],
  ] as const) {
    const { body } = await ask(caller, `POST /v1/targets/${made.id}/test`)
    assert.deepEqual(body, { target_id: made.id, delivered: false, detail })
  }
})
