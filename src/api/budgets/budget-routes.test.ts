import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { AlertTarget } from '../../core/alert.ts'
import { BUDGET_PERIODS, spanOf } from '../../core/budget.ts'
import { createRequestId } from '../../core/ids.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import {
  budgetListSchema,
  budgetSchema,
  targetListSchema,
  targetRowSchema,
  testOutcomeSchema,
} from '../contract.ts'
import type { BudgetRow, ErrorBody } from '../contract.ts'
import { BODY_BYTES_MAX } from '../parse-body.ts'

// A Thursday.
const NOW = Date.parse('2026-03-19T12:00:00.000Z')
const DAY_MS = 86_400_000
const USD = 10n ** 12n
const WEBHOOK = { kind: 'webhook', address: 'https://hooks.example.com/a/secret?b=1' } as const

let api: OpenApi
let keyId: string
let writer: string
let reader: string
let records: readonly UsageRecord[]
let isFull = false
const tested: AlertTarget[] = []

function toLimited(settings: SettingsStore): SettingsStore {
  const { budgets } = settings
  return {
    ...settings,
    budgets: {
      ...budgets,
      create: (given, targets) => {
        if (isFull) throw new WeirError('invalid_argument', 'There are too many.')
        return budgets.create(given, targets)
      },
    },
  }
}

before(async () => {
  api = await openApi(NOW, ({ settings }) => ({
    info: { version: '1.2.3', proxyUrl: '', providers: ['north', 'south'] },
    checkTarget: (_kind, address) =>
      Promise.resolve(address.includes('private') ? 'That is a private address.' : null),
    sendTest: (target) => {
      tested.push(target)
      return Promise.resolve({ isDelivered: false, detail: '500' })
    },
    reservations: () => new Map([[blockingId, { running: 3, reserved: USD / 2n }]]),
    settings: { ...settings, as: (actor) => toLimited(settings.as(actor)) },
  }))
  writer = await api.authorize('write:budgets', 'read:usage')
  reader = await api.authorize('read:usage')
  const made = await api.settings.keys.create({
    ...OPEN_KEY,
    name: 'a',
  })
  keyId = made.key.id
  // Every call costs another power of two, so that a sum says which calls are in it.
  records = Array.from({ length: 40 }, (_, index) => {
    const endedAt = NOW - index * DAY_MS * 0.45
    return createRecord(
      {
        id: createRequestId(endedAt - 1000),
        startedAt: endedAt - 1000,
        endedAt,
        provider: index % 2 === 0 ? 'north' : 'south',
        model: index % 3 === 0 ? 'large' : 'small',
        keyId: index % 5 === 0 ? keyId : 'svc_k_0000000000000000',
        dims: index % 4 === 0 ? { team: 'search' } : {},
      },
      { amount: 1000n * 2n ** BigInt(index) },
    )
  })
  await api.store.writeBatch(batchOf(...records))
})

let blockingId = ''

after(() => api.close())

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly authorization?: string | null
}

async function ask(path: string, { method = 'GET', body, authorization = writer }: Asked = {}) {
  const response = await fetch(api.url + path, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const RIGHT = { name: 'a', limit_usd: 100, period: 'month', scope: 'global' } as const

async function create(change: object = {}): Promise<BudgetRow> {
  const { status, body } = await ask('/v1/budgets', {
    method: 'POST',
    body: { ...RIGHT, ...change },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return budgetSchema.parse(body)
}

async function list(): Promise<readonly BudgetRow[]> {
  const { body } = await ask('/v1/budgets', { authorization: reader })
  return budgetListSchema.parse(body).rows
}

function assertError(
  answer: { status: number; body: unknown },
  status: number,
  text: RegExp,
): void {
  const { error, code } = answer.body as ErrorBody
  assert.equal(answer.status, status, error)
  assert.match(error, text)
  const codes: Readonly<Record<number, string>> = {
    400: 'invalid_parameter',
    401: 'unauthorized',
    403: 'scope_denied',
    404: 'not_found',
    405: 'method_not_allowed',
    413: 'body_too_large',
  }
  assert.equal(code, codes[status])
}

const SCOPES: readonly (readonly [string, (record: UsageRecord) => boolean])[] = [
  ['global', () => true],
  ['api_key=KEY', ({ event }) => event.keyId === keyId],
  ['provider=south', ({ event }) => event.provider === 'south'],
  ['model=*/large', ({ event }) => event.model === 'large'],
  ['model=north:*', ({ event }) => event.provider === 'north'],
  ['dim:team=search', ({ event }) => event.dims['team'] === 'search'],
]

for (const [scope, covers] of SCOPES) {
  for (const period of BUDGET_PERIODS) {
    test(`a row of ${scope} by the ${period} is what was charged`, async () => {
      const word = scope.replace('KEY', keyId)
      const made = await create({ scope: word, period, limit_usd: '2000', blocking: true })
      const { startMs, endMs } = spanOf(period, NOW)
      let spent = 0n
      for (const record of records) {
        const { endedAt } = record.event
        const isWithin = endedAt >= startMs && endedAt < endMs
        if (isWithin && covers(record)) spent += record.cost.amount ?? 0n
      }
      assert.ok(spent > 0n)
      const { body } = await ask(`/v1/budgets/${made.id}`, { authorization: reader })
      assert.deepEqual(
        body,
        (await list()).find(({ id }) => id === made.id),
      )
      // The id of a key is not for every reader.
      assert.deepEqual({ ...(body as BudgetRow), scope: word }, made)
      assert.deepEqual(
        [made.scope, made.period, made.spent_usd, made.limit_usd, made.is_exceeded],
        [word, period, toAnswerUsd(spent), 2000, false],
      )
      assert.deepEqual(
        [made.period_start, made.period_end, made.created_at],
        [startMs, endMs, NOW].map((time) => new Date(time).toISOString()),
      )
      assert.equal(made.forecast_usd === null, period === 'day')
      await api.settings.budgets.remove(made.id)
    })
  }
}

test('the budgets near their limit alone', async () => {
  const near = await create({ limit_usd: 0.001 })
  await create({ limit_usd: 1e6 })
  const of = async (percent: string) =>
    budgetListSchema
      .parse((await ask(`/v1/budgets?min_percent=${percent}`, { authorization: reader })).body)
      .rows.map(({ id }) => id)
  assert.deepEqual(await of('80'), [near.id])
  assert.equal((await of('0')).length, (await list()).length)
  const refused = await ask('/v1/budgets?min_percent=x', { authorization: reader })
  assertError(refused, 400, /Parameter min_percent/)
})

test('what is left out of a new budget goes without saying, and thresholds are put in order', async () => {
  const plain = await create()
  assert.deepEqual([plain.thresholds, plain.blocking, plain.targets], [[50, 80, 100], false, []])
  const odd = await create({ thresholds: [100, 20, 100, 1000, 1], name: '  b  ' })
  assert.deepEqual([odd.thresholds, odd.name], [[1, 20, 100, 1000], 'b'])
  assert.deepEqual((await create({ thresholds: [] })).thresholds, [])
})

test('only what runs under a blocking budget is shown, with the bound of the overshoot', async () => {
  const made = await create({ blocking: true, limit_usd: 1e6 })
  assert.deepEqual(
    [made.running_calls, made.reserved_usd, made.overshoot_max_usd],
    [null, null, null],
  )
  blockingId = made.id
  const { body } = await ask(`/v1/budgets/${made.id}`, { authorization: reader })
  const row = budgetSchema.parse(body)
  const [spend] = await api.store.progress.budgets.readSpend(await api.settings.budgets.list(), {
    slugOf: (provider, model) => `${provider}/${model}`,
    nowMs: NOW,
  })
  assert.deepEqual(
    [row.running_calls, row.reserved_usd, row.overshoot_max_usd],
    [3, 0.5, toAnswerUsd(3n * (spend?.largest ?? -1n))],
  )
  await ask(`/v1/budgets/${made.id}`, { method: 'PATCH', body: { blocking: false } })
  const after = budgetSchema.parse(
    (await ask(`/v1/budgets/${made.id}`, { authorization: reader })).body,
  )
  assert.deepEqual([after.running_calls, after.blocking], [null, false])
})

test('a secret is shown by the answer that makes it, and by no other', async () => {
  const slack = { kind: 'slack', address: 'https://hooks.slack.example/T/secret' }
  const made = await create({
    targets: [slack, WEBHOOK, { kind: 'email', address: 'a@b.example' }],
  })
  const [, hook] = made.targets
  assert.match(hook?.secret ?? '', /^whsec_.{20,}$/)
  assert.equal(made.webhook_secret, hook?.secret)
  assert.deepEqual(
    made.targets.map(({ kind, secret }) => [kind, secret === undefined]),
    [
      ['slack', true],
      ['webhook', false],
      ['email', true],
    ],
  )
  const added = await ask(`/v1/budgets/${made.id}/targets`, {
    method: 'POST',
    body: { ...WEBHOOK, address: 'https://two.example.com/' },
  })
  const grown = budgetSchema.parse(added.body)
  assert.deepEqual(
    [added.status, grown.targets.length, grown.targets.map(({ secret }) => secret === undefined)],
    [201, 4, [true, true, true, false]],
  )
  assert.equal(grown.webhook_secret, grown.targets[3]?.secret)
  const general = await ask('/v1/targets', { method: 'POST', body: WEBHOOK })
  const target = targetRowSchema.parse(general.body)
  assert.deepEqual([general.status, target.budget_id], [201, null])
  assert.match(target.secret ?? '', /^whsec_/)
  const change = { method: 'PATCH', body: { name: 'c' } }
  for (const [path, asked] of [
    ['/v1/budgets', { authorization: reader }],
    [`/v1/budgets/${made.id}`, { authorization: await api.authorize('admin') }],
    [`/v1/budgets/${made.id}`, change],
    ['/v1/targets', { authorization: await api.authorize('admin') }],
    [`/v1/targets/${target.id}`, { method: 'DELETE' }],
    [`/v1/budgets/${made.id}`, { method: 'DELETE' }],
  ] as const) {
    const { status, body } = await ask(path, asked)
    assert.equal(status, 200)
    assert.doesNotMatch(JSON.stringify(body), /whsec_|"secret"|webhook_secret/, path)
  }
})

test('targets change together with their budget, or nothing does', async () => {
  const given = { name: 'b', limit_usd: 1, period: 'day', scope: 'global', targets: [WEBHOOK] }
  const answer = await ask('/v1/budgets', { method: 'POST', body: given })
  const made = budgetSchema.parse(answer.body)
  const path = `/v1/budgets/${made.id}`
  const slack = { kind: 'slack', address: 'https://slack.example.com/x' }
  const remove = made.targets.map(({ id }) => id)
  const change = async (body: object) => ask(path, { method: 'PATCH', body })
  for (const [body, fault] of [
    [{ add_targets: [WEBHOOK] }, /is there already/],
    [{ add_targets: [slack, { ...slack, address: 'https://private.example' }] }, /private address/],
    [{ remove_targets: ['tgt_0'] }, /does not have/],
  ] as const) {
    const refused = await change({ limit_usd: 9, ...body })
    assert.equal(refused.status, 400)
    assert.match((refused.body as ErrorBody).error, fault)
  }
  const kept = budgetSchema.parse((await ask(path)).body)
  assert.deepEqual([kept.limit_usd, kept.targets.map(({ id }) => id)], [1, remove])
  const body = { limit_usd: 2, add_targets: [slack, WEBHOOK], remove_targets: remove }
  const changed = budgetSchema.parse((await change(body)).body)
  assert.deepEqual(
    changed.targets.map(({ kind, secret }) => [kind, secret === undefined]),
    [
      ['slack', true],
      ['webhook', false],
    ],
  )
  assert.equal(changed.limit_usd, 2)
  assert.notEqual(changed.targets[1]?.id, remove[0])
})

test('several targets of no budget are added together, or none', async () => {
  const add = (...targets: readonly object[]) =>
    ask('/v1/targets/batch', { method: 'POST', body: { targets } })
  const count = async () => targetListSchema.parse((await ask('/v1/targets')).body).rows.length
  const before = await count()
  const one = { kind: 'webhook', address: 'https://one.example.com/' }
  const refused = await add(one, { kind: 'slack', address: 'https://private.example' })
  assert.deepEqual([refused.status, await count()], [400, before])
  const { status, body } = await add(one, { kind: 'slack', address: 'https://two.example.com/' })
  const { rows } = targetListSchema.parse(body)
  assert.deepEqual([status, await count()], [201, before + 2])
  assert.deepEqual(
    rows.map(({ secret }) => secret === undefined),
    [false, true],
  )
})

test('who may only read is shown where alerts go, but not how to post there', async () => {
  const made = await create({ targets: [WEBHOOK, { kind: 'email', address: 'a@b.example' }] })
  const addresses = async (path: string, authorization: string) => {
    const { body } = await ask(path, { authorization })
    const rows =
      path === '/v1/targets' ? targetListSchema.parse(body).rows : budgetSchema.parse(body).targets
    const ids = made.targets.map(({ id }) => id)
    return rows.filter(({ id }) => ids.includes(id)).map(({ address }) => address)
  }
  const both = await api.authorize('read:usage', 'write:budgets')
  for (const path of [`/v1/budgets/${made.id}`, '/v1/targets']) {
    assert.deepEqual(await addresses(path, reader), ['https://hooks.example.com/…', 'a@b.example'])
    assert.deepEqual(await addresses(path, both), [WEBHOOK.address, 'a@b.example'])
  }
})

test('who may not read keys is not shown which key a budget is for', async () => {
  const made = await create({ scope: `api_key=${keyId}` })
  for (const [scopes, scope] of [
    [['read:usage'], 'api_key=…'],
    [['read:usage', 'read:keys'], made.scope],
    [['read:usage', 'write:budgets'], made.scope],
    [['admin'], made.scope],
  ] as const) {
    const authorization = await api.authorize(...scopes)
    const one = await ask(`/v1/budgets/${made.id}`, { authorization })
    assert.equal(budgetSchema.parse(one.body).scope, scope)
    const { rows } = budgetListSchema.parse((await ask('/v1/budgets', { authorization })).body)
    assert.equal(rows.find(({ id }) => id === made.id)?.scope, scope)
  }
})

test('a change applies at once and leaves the rest', async () => {
  const made = await create({ limit_usd: 1, thresholds: [10], blocking: true })
  assert.equal(made.is_exceeded, true)
  const change = { limit_usd: '0.000000000001', scope: 'dim:team=nobody', period: 'day' }
  const { status, body } = await ask(`/v1/budgets/${made.id}`, { method: 'PATCH', body: change })
  const row = budgetSchema.parse(body)
  assert.deepEqual(
    [status, row.name, row.scope, row.period, row.thresholds, row.blocking, row.spent_usd],
    [200, 'a', 'dim:team=nobody', 'day', [10], true, 0],
  )
  assert.equal((await api.settings.budgets.find(made.id))?.limit, 1n)
})

test('what is deleted is shown a last time, and is gone', async () => {
  const made = await create({ targets: [WEBHOOK] })
  const { status, body } = await ask(`/v1/budgets/${made.id}`, { method: 'DELETE' })
  const { webhook_secret: _, ...row } = made
  const targets = made.targets.map(({ id, kind, address }) => ({ id, kind, address }))
  assert.deepEqual([status, body], [200, { ...row, targets }])
  const gone = { GET: reader, PATCH: writer, DELETE: writer }
  for (const [method, authorization] of Object.entries(gone)) {
    const asked = { method, authorization, ...(method === 'PATCH' && { body: { name: 'b' } }) }
    assertError(
      await ask(`/v1/budgets/${made.id}`, asked),
      404,
      /no such budget\. GET \/v1\/budgets/,
    )
  }
  assertError(
    await ask(`/v1/budgets/${made.id}/targets`, { method: 'POST', body: WEBHOOK }),
    404,
    /no such budget/,
  )
  const target = `/v1/targets/${made.targets[0]?.id}`
  assertError(await ask(target, { method: 'DELETE' }), 404, /no such target/)
  assertError(await ask(`${target}/test`, { method: 'POST' }), 404, /no such target/)
})

test('a test is sent to the target, and what came of it is the answer', async () => {
  const made = await create({ targets: [WEBHOOK] })
  const id = made.targets[0]?.id ?? ''
  const { status, body } = await ask(`/v1/targets/${id}/test`, { method: 'POST' })
  assert.equal(status, 200)
  assert.deepEqual(testOutcomeSchema.parse(body), {
    target_id: id,
    delivered: false,
    detail: '500',
  })
  assert.deepEqual(
    tested.map((target) => [target.id, target.secret]),
    [[id, made.webhook_secret]],
  )
})

const REFUSED: readonly (readonly [string, object, RegExp])[] = [
  [
    'an unknown key',
    { ...RIGHT, scope: 'api_key=svc_k_ffffffffffffffff' },
    /a key that is not there/,
  ],
  ['an unknown provider', { ...RIGHT, scope: 'provider=west' }, /There are: north, south\.$/],
  ['a target twice', { ...RIGHT, targets: [WEBHOOK, WEBHOOK] }, /is there already/],
  [
    'private addresses',
    { ...RIGHT, targets: [{ kind: 'webhook', address: 'http://private/' }] },
    /^That is a private address\.$/,
  ],
  [
    'several faults',
    { ...RIGHT, period: 'x', thresholds: [0, 0, 'x'], blocking: 1, scope: 'x' },
    /period must .*; scope is wrong: .*; thresholds must [^;]*; blocking must/,
  ],
]

for (const [name, body, text] of REFUSED) {
  test(`a budget is refused for ${name}, in words`, async () => {
    const budgets = await api.settings.budgets.list()
    const answer = await ask('/v1/budgets', { method: 'POST', body })
    assertError(answer, 400, text)
    assert.deepEqual(await api.settings.budgets.list(), budgets)
  })
}

test('a change, a target and an address are refused likewise', async () => {
  const { id } = await create({ targets: [WEBHOOK] })
  const path = `/v1/budgets/${id}`
  for (const [at, method, body, text] of [
    [path, 'PATCH', {}, /changes nothing/],
    [path, 'PATCH', { name: null }, /refused: name must/],
    [path, 'PATCH', { targets: [] }, /unknown member targets/],
    [path, 'PATCH', { scope: 'provider=west' }, /a provider that is not there/],
    [`${path}?x=1`, 'PATCH', { name: 'b' }, /Unknown parameter x/],
    [`${path}/targets`, 'POST', {}, /missing: kind must .*; missing: address must/],
    [`${path}/targets`, 'POST', WEBHOOK, /is there already/],
    [`${path}/targets`, 'POST', { kind: 'slack', address: 'http://private/' }, /private address/],
    ['/v1/targets', 'POST', { kind: 'slack', address: 'http://private/' }, /private address/],
    ['/v1/alerts?limit=201', 'GET', undefined, /limit must be an integer from 1 to 200/],
  ] as const) {
    const authorization = method === 'GET' ? reader : writer
    assertError(await ask(at, { method, body, authorization }), 400, text)
  }
})

test('a body is not looked at before token and scope, and not beyond 64 KiB', async () => {
  const large = ' '.repeat(BODY_BYTES_MAX + 1)
  for (const [method, path] of [
    ['POST', '/v1/budgets'],
    ['PATCH', '/v1/budgets/bud_0'],
    ['POST', '/v1/budgets/bud_0/targets'],
    ['POST', '/v1/targets'],
  ] as const) {
    const asked = { method, body: large }
    assertError(await ask(path, { ...asked, authorization: null }), 401, /svc_agt_/)
    assertError(await ask(path, { ...asked, authorization: reader }), 403, /scope write:budgets/)
    assertError(await ask(path, asked), 413, /65536/)
    assertError(
      await ask(path, { method, body: ' '.repeat(BODY_BYTES_MAX) }),
      400,
      /one JSON object/,
    )
  }
  const changer = await api.authorize('write:budgets')
  for (const path of ['/v1/budgets', '/v1/budgets/bud_0', '/v1/targets', '/v1/alerts']) {
    assertError(await ask(path, { authorization: null }), 401, /read:usage/)
    assertError(await ask(`${path}?x=1`, { authorization: changer }), 403, /scope read:usage/)
  }
  assertError(await ask('/v1/budgets', { method: 'PUT' }), 405, /GET, HEAD, POST only/)
  assertError(await ask('/v1/targets/x', { method: 'PATCH' }), 405, /takes DELETE only/)
})

test('what the store refuses is refused in its words', async () => {
  isFull = true
  const answer = await ask('/v1/budgets', { method: 'POST', body: RIGHT })
  isFull = false
  assertError(answer, 400, /There are too many/)
})
