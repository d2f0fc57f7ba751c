import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { findDifferingPrice } from '../../../test/prices/differing-price.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { createRequestId } from '../../core/ids.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import { formatMoney } from '../../core/money.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { sumLines } from '../../../test/prices/sum-lines.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'
import { toStoredPrice } from '../../pricing/tables/price-sheet.ts'
import { priceUse } from '../../pricing/tables/price.ts'
import { errorBodySchema, requestDetailSchema } from '../contract.ts'
import type { RateAnswer, RequestDetail } from '../contract.ts'
import { toRequestRow } from './request-row.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const priceTables = createPriceTables()

let api: OpenApi
let reader: string

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:requests')
})

after(() => api.close())

/** Priced and stored as the ledger does it. */
async function store(changes: Partial<UsageEvent>): Promise<UsageRecord> {
  const { event } = createRecord({ id: createRequestId(NOW), startedAt: NOW, ...changes })
  const { cost, entries } = priceUse(event, priceTables)
  const record = { event, cost }
  await api.store.writeBatch({ ...batchOf(record), prices: entries.map(toStoredPrice) })
  return record
}

async function ask(id: string): Promise<RequestDetail> {
  const response = await api.get(`/v1/requests/${id}`, reader)
  const body: unknown = await response.json()
  assert.equal(response.status, 200, JSON.stringify(body))
  return requestDetailSchema.parse(body)
}

const MINI = { provider: 'openai', model: 'gpt-4o-mini', endedAt: NOW }

test('a call is its row and the lines that make up its cost', async () => {
  const tokens = createTokenCounts({ input: 1000, cacheRead: 400, output: 100 })
  const record = await store({ ...MINI, tokens })
  const { explanation, today, ...row } = await ask(record.event.id)
  assert.deepEqual(row, toRequestRow(record, new Map()))
  assert.deepEqual(today, {
    cost_usd: '0.00018',
    source: 'price-book',
    price_version: row.price_version,
    is_same: true,
  })
  const { lines, total_usd: total, text } = explanation
  const shown = lines.map(({ model, unit, count, rate_usd, cost_usd }) => {
    return [model, unit, count, rate_usd, cost_usd].join(' ')
  })
  // List price: 0.15, 0.075 and 0.60 USD a million.
  assert.deepEqual(
    new Set(shown),
    new Set([
      'gpt-4o-mini input 600 0.00000015 0.00009',
      'gpt-4o-mini cache_read 400 0.000000075 0.00003',
      'gpt-4o-mini output 100 0.0000006 0.00006',
    ]),
  )
  assert.ok(lines.every((line) => line.price_version === row.price_version))
  assert.deepEqual([total, row.cost_usd, row.source], ['0.00018', '0.00018', 'price-book'])
  assert.match(text, /list prices/)
})

test('a call of several models has the lines of each, by the price of each', async () => {
  const shares = ['gpt-4o-mini', 'gpt-4o'].map((model, index) => ({
    model,
    tokens: createTokenCounts({ input: 100 + index, output: 7 }),
  }))
  const tokens = createTokenCounts({ input: 201, output: 14 })
  const record = await store({ ...MINI, tokens, shares })
  const { explanation, cost_usd: cost } = await ask(record.event.id)
  const { lines, total_usd: total } = explanation
  assert.deepEqual(new Set(lines.map((line) => line.model)), new Set(['gpt-4o-mini', 'gpt-4o']))
  assert.equal(new Set(lines.map((line) => line.price_version)).size, 2)
  const sum = sumLines(lines.map((line) => ({ costUsd: line.cost_usd })))
  assert.deepEqual([formatMoney(sum), total], [cost, cost])
})

test('where the sources of its price differ, both figures are there', async () => {
  const { provider, model, other, unit, listedUsd, otherUsd } = findDifferingPrice(NOW)
  const { event } = await store({ ...MINI, provider, model })
  const { explanation, cost_usd: cost } = await ask(event.id)
  assert.equal(explanation.total_usd, cost)
  const [difference, ...more] = explanation.differs
  assert.deepEqual([difference?.model, difference?.source, more], [model, other, []])
  const rateOf = (rates: readonly RateAnswer[] = []) => rates.find((rate) => rate.unit === unit)
  assert.equal(rateOf(difference?.rates)?.rate_usd, otherUsd)
  assert.equal(rateOf(difference?.listed_rates)?.rate_usd, listedUsd)

  const agreed = await store({ ...MINI, model: 'gpt-4o' })
  assert.deepEqual((await ask(agreed.event.id)).explanation.differs, [])
  const rates = { kind: 'rates', rates: { input: '1', output: '1' } } as const
  const rule = { provider, model, tier: null, effectiveFrom: 0, price: rates, note: null }
  const { id } = await api.settings.prices.set(rule)
  const now = await ask(event.id)
  assert.deepEqual(now.explanation.differs, [], 'it has another price by now')
  // 15 tokens at a dollar a million.
  assert.deepEqual(
    [now.today.cost_usd, now.today.source, now.today.is_same],
    ['0.000015', 'override', false],
  )
  await api.settings.prices.remove(id)
})

const BILLING = { cost: null, marketCost: null, isByok: null, generationId: null }
const WITHOUT_LINES: readonly (readonly [string, Partial<UsageEvent>, string | null])[] = [
  ['gateway', { billing: { ...BILLING, cost: 12_345_678_901n } }, '0.012345678901'],
  ['provider', { billing: { ...BILLING, cost: 5n, statedBy: 'provider' } }, '0.000000000005'],
  ['byok-zero', { billing: { ...BILLING, isByok: true, marketCost: 5n } }, '0'],
  ['free', { chargeable: false }, '0'],
  ['free', { status: 'denied', keyId: null }, '0'],
  ['unpriced', { model: 'no-such-model' }, null],
  ['unpriced', { model: null, tokens: null, usage: 'none', status: 'interrupted' }, null],
]

for (const [source, changes, cost] of WITHOUT_LINES) {
  test(`a cost that was not computed (${source}) has no lines and is explained in words`, async () => {
    const record = await store({ ...MINI, ...changes })
    const row = await ask(record.event.id)
    assert.deepEqual([row.source, row.cost_usd], [source, cost])
    assert.deepEqual(row.today, {
      cost_usd: cost,
      source,
      price_version: null,
      is_same: true,
    })
    const { lines, total_usd: total, text } = row.explanation
    assert.deepEqual([lines, total], [[], cost])
    assert.match(text, /\.$/)
  })
}

test('a cost whose rates are not there is shown all the same', async () => {
  const record = createRecord({ id: createRequestId(NOW), startedAt: NOW })
  await api.store.writeBatch(batchOf(record))
  const row = await ask(record.event.id)
  assert.deepEqual([row.cost_usd, row.explanation.lines], ['0.000000001', []])
  assert.match(row.explanation.text, /test/)
})

test('an id may be written in capitals', async () => {
  const { event } = await store(MINI)
  assert.equal((await ask(event.id.toUpperCase())).id, event.id)
})

test('an id that is not known, or that is none, is 404 and not repeated', async () => {
  const id = createRequestId(NOW)
  const odd = ['x', '0', '%00', '%zz', '%F0%9F%90%9F', 'a%2Fb', '*', "'%20OR%201=1--", '%2e%2e']
  for (const word of [id, id.slice(1), `${id}0`, id.replaceAll('-', ''), `${id}%20`, ...odd]) {
    const response = await api.get(`/v1/requests/${word}`, reader)
    assert.equal(response.status, 404, word)
    const { code, error } = errorBodySchema.parse(await response.json())
    assert.equal(code, 'not_found')
    assert.ok(!error.includes(id))
  }
  for (const path of ['/v1/requests/', `/v1/requests/${id}/`, `/v1/requests/${id}/lines`]) {
    assert.equal((await api.get(path, reader)).status, 404, path)
  }
  assert.deepEqual(api.logged, [])
})

test('no secret is ever in an answer', async () => {
  const { key, credential } = await api.settings.keys.create({
    ...OPEN_KEY,
    name: 'display name',
  })
  const { event } = await store({ ...MINI, keyId: key.id })
  const secret = credential.split('.')[1] as string
  for (const [path, hasKeyId] of [
    [`/v1/requests?api_key=${key.id}`, true],
    [`/v1/requests/${event.id}`, true],
    [`/v1/requests?api_key=${credential}`, false],
    [`/v1/requests?cursor=${secret}`, false],
    [`/v1/requests?${credential}=1`, false],
    [`/v1/requests/${credential}`, false],
  ] as const) {
    const text = await (await api.get(path, reader)).text()
    assert.equal(text.includes(key.id), hasKeyId, path)
    for (const hidden of [secret, key.secretHash, key.name, reader.replace(/^Bearer /, '')]) {
      assert.ok(!text.includes(hidden), path)
    }
  }
})
