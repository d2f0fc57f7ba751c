import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findDifferingPrice } from '../../../test/prices/differing-price.ts'
import { msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { sampleCall, toBatch } from '../../../test/fakes/stored-calls.ts'
import { loadConfig } from '../../config/config.ts'
import { openOnDemand } from '../../app/configured-api.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { createRequestId } from '../../core/ids.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'
import {
  missingPriceListSchema,
  priceHistorySchema,
  pricePageSchema,
  priceRuleListSchema,
  priceRuleSchema,
  repriceAnswerSchema,
  repriceOutcomeSchema,
} from '../contract.ts'
import type {
  ErrorBody,
  ModelPrice,
  PriceHistory,
  PricePage,
  PriceRuleAnswer,
} from '../contract.ts'

const NOW = msAfterBundle(22.5)
const NOW_ISO = new Date(NOW).toISOString()
const LATER = new Date(msAfterBundle(40)).toISOString()
const DAY_MS = 86_400_000
const CALLS = 700
/** An answer that waits for another is a failure, not a hang. */
const ANSWER_MS_MAX = 20_000
const RULES_FILE = `
- provider: openai
  model: from-the-file
  rates: { input: 3, output: 6 }
`

let api: OpenApi
let dir: string
let reader: string
let writer: string
/** Behind it a repricing reads on. */
let delay: Promise<void> = Promise.resolve()
/** Called when one begins to read. */
let begin = (): void => {}

before(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'weir-prices-'))
  const file = path.join(dir, 'prices.yaml')
  writeFileSync(file, RULES_FILE)
  const config = loadConfig({ env: { WEIR_PRICES_FILE: file }, cwd: dir })
  const clock = { now: () => NOW, monotonic: () => 0 }
  api = await openApi(NOW, ({ settings, usage }) => {
    const readRecords: typeof usage.upkeep.readRecords = async (...question) => {
      begin()
      await delay
      return usage.upkeep.readRecords(...question)
    }
    const delayed = { ...usage, upkeep: { ...usage.upkeep, readRecords } }
    return openOnDemand({ config, settings, usage: delayed, clock })
  })
  reader = await api.authorize('read:usage')
  writer = await api.authorize('write:prices', 'read:usage', 'read:keys')
  const calls = Array.from({ length: CALLS }, (_, index) => {
    const endedAt = NOW - DAY_MS - index * 1000
    const about = { provider: 'openai', model: 'unheard-of', keyId: 'svc_k_a' }
    return sampleCall({ id: createRequestId(endedAt), startedAt: endedAt, endedAt, ...about })
  })
  await api.store.writeBatch(toBatch(calls, createPriceTables({ tables: [] })))
})

after(async () => {
  await api.close()
  rmSync(dir, { recursive: true })
})

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly authorization?: string | null
}

async function ask(address: string, asked: Asked = {}) {
  const { method = 'GET', body, authorization = writer } = asked
  const response = await fetch(api.url + address, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    headers: authorization === null ? {} : { authorization },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as unknown }
}

async function list(search: string): Promise<PricePage> {
  const { status, text, body } = await ask(`/v1/prices?${search}`, { authorization: reader })
  assert.equal(status, 200, text)
  return pricePageSchema.parse(body)
}

async function set(body: object): Promise<PriceRuleAnswer> {
  const answer = await ask('/v1/prices/rules', { method: 'POST', body })
  assert.equal(answer.status, 201, answer.text)
  return priceRuleSchema.parse(answer.body)
}

async function unset({ id }: PriceRuleAnswer): Promise<void> {
  const answer = await ask(`/v1/prices/rules/${id}`, { method: 'DELETE' })
  assert.equal(answer.status, 200, answer.text)
}

async function readHistory(provider: string, model: string): Promise<PriceHistory> {
  const { body } = await ask(`/v1/prices/history?provider=${provider}&model=${model}`)
  return priceHistorySchema.parse(body)
}

const DIFFERING = findDifferingPrice(NOW)
const FIGURES = [DIFFERING.otherUsd, DIFFERING.listedUsd]

/** The other source's and the list's, of the unit that differs. */
function toFigures(price: Pick<ModelPrice, 'differs'> | undefined) {
  const { rates = [], listed_rates: listed = [] } = price?.differs[0] ?? {}
  return [rates, listed].map((each) => each.find(({ unit }) => unit === DIFFERING.unit)?.rate_usd)
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_parameter',
  401: 'unauthorized',
  403: 'scope_denied',
  404: 'not_found',
  409: 'conflict',
}

function assertError(answer: { status: number; body: unknown }, status: number, text: RegExp) {
  const { error, code } = answer.body as ErrorBody
  assert.equal(answer.status, status, error)
  assert.match(error, text)
  assert.equal(code, CODES[status])
}

describe('the catalogue', () => {
  test('has pages that together are every model once, by provider and name', async () => {
    const { total } = await list('limit=1')
    assert.ok(total > 1000, String(total))
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const given: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page: PricePage = await list(`limit=1000${given}`)
      names.push(...page.rows.map(({ provider, model }) => `${provider} ${model}`))
      cursor = page.next_cursor
    }
    assert.equal(names.length, total)
    assert.equal(new Set(names).size, total)
    const providers = names.map((name) => name.split(' ')[0] ?? '')
    assert.deepEqual(providers, providers.toSorted())
  })

  test('is searched by a part of the name and by provider', async () => {
    const page = await list('search=GPT-4O&provider=openai')
    assert.ok(page.rows.some(({ model }) => model === 'gpt-4o'))
    for (const { provider, model } of page.rows) {
      assert.ok(provider === 'openai' && model.includes('gpt-4o'), `${provider} ${model}`)
    }
    assert.equal((await list('provider=opena')).total, 0)
  })

  test('shows a rule at once, and the listed price when it is gone', async () => {
    const find = async () =>
      (await list('provider=openai&search=gpt-4o')).rows.find(({ model }) => model === 'gpt-4o')
    const listed = await find()
    assert.equal(listed?.is_override, false)
    const rule = await set({ provider: 'openai', model: 'GPT-4o', rates: { input: '7' } })
    assert.deepEqual(await find(), {
      provider: 'openai',
      model: 'gpt-4o',
      source: 'override',
      since: NOW_ISO,
      is_free: false,
      is_override: true,
      rates: [{ unit: 'input', per: 1_000_000, rate_usd: '7', steps: [] }],
      sources: [],
      differs: [],
      used: null,
    })
    await unset(rule)
    assert.deepEqual(await find(), listed)
  })

  test('says where a price is from, and what a source has that differs', async () => {
    const { provider, model, source, other } = DIFFERING
    const search = `provider=${provider}&search=${encodeURIComponent(model)}`
    const { rows } = await list(search)
    const row = rows.find((each) => each.model === model)
    assert.deepEqual(row?.sources, [source])
    assert.deepEqual(toFigures(row), FIGURES)
    const others = (await list('provider=openai&search=gpt-4o')).rows
    const agreed = others.find((each) => each.model === 'gpt-4o')
    assert.deepEqual([agreed?.sources, agreed?.differs], [['genai-prices'], []])

    // Figures stay those of the list when a factor is on it.
    const rule = await set({ provider, model, multiplier: '0.5' })
    const { periods } = await readHistory(provider, encodeURIComponent(model))
    await unset(rule)
    const standard = periods.filter(({ tier }) => tier === 'standard')
    assert.deepEqual(
      standard.map((each) => [each.source, each.sources, each.differs[0]?.source]),
      [
        ['override', [source], other],
        ['price-book', [source], other],
      ],
    )
    assert.deepEqual(standard.map(toFigures), [FIGURES, FIGURES])
  })

  test('contains what only a rule names, and says how old the lists are', async () => {
    const { rows, price_data: data } = await list('search=from-the-file')
    assert.deepEqual([rows.length, rows[0]?.since, rows[0]?.is_override], [1, null, true])
    assert.deepEqual([data.age_days, data.is_old, data.imported_at], [22, false, null])
  })
})

describe('the history of a model', () => {
  test('has the ordinary tier first, the newest first, and says what is in force now', async () => {
    const early = await set({
      provider: 'openai',
      model: 'ours',
      effective_from: '2026-09-01T00:00:00Z',
      rates: { input: '2', web_search: { base: '0.01', steps: [{ above: 9, rate: '0.02' }] } },
    })
    const late = await set({
      provider: 'openai',
      model: 'ours',
      effective_from: LATER,
      rates: { input: '1' },
    })
    const flex = await set({
      provider: 'openai',
      model: 'ours',
      tier: 'Flex',
      rates: { input: '1' },
    })
    const { periods, near_models: near } = await readHistory('openai', 'ours')
    assert.deepEqual(
      periods.map((each) => [each.tier, each.since, each.is_current, each.rule]),
      [
        ['standard', LATER, false, late.id],
        ['standard', '2026-09-01T00:00:00.000Z', true, early.id],
        ['flex', NOW_ISO, true, flex.id],
      ],
    )
    assert.deepEqual(near, [])
    assert.deepEqual(periods[1]?.rates[1], {
      unit: 'web_search',
      per: 1,
      rate_usd: '0.01',
      steps: [{ above_input_tokens: 9, rate_usd: '0.02' }],
    })
    for (const rule of [early, late, flex]) await unset(rule)
  })

  test('of a listed model names its factor, and the hours of a price that has them', async () => {
    const rule = await set({ provider: 'openai', model: 'gpt-4o*', multiplier: '0.8' })
    const current = (await readHistory('openai', 'gpt-4o')).periods.find((each) => each.is_current)
    assert.deepEqual([current?.rule, current?.since], [rule.id, NOW_ISO])
    await unset(rule)
    const { periods } = await readHistory('deepseek', 'deepseek-chat')
    assert.ok(periods.some(({ hours }) => hours === '00:30-16:30'))
  })

  test('of an unknown model is empty and has names that are near', async () => {
    const { periods, near_models: near } = await readHistory('openai', 'gpt-4p')
    assert.deepEqual(periods, [])
    assert.ok(near.includes('gpt-4'), near.join())
    assert.deepEqual((await readHistory('nobody', 'x')).near_models, [])
  })
})

describe('rules', () => {
  test('are shown as they were given, those of the file among them', async () => {
    const given = { provider: 'openai', model: 'ours-*', multiplier: '0.75', note: ' why ' }
    const made = await set({ ...given, effective_from: '2026-11-10T00:00:00Z' })
    assert.match(made.id, /^price_/)
    assert.deepEqual(made, {
      id: made.id,
      ...given,
      note: 'why',
      tier: null,
      effective_from: '2026-11-10T00:00:00.000Z',
      rates: null,
      origin: 'command',
      created_at: NOW_ISO,
    })
    const { rows } = priceRuleListSchema.parse((await ask('/v1/prices/rules')).body)
    assert.deepEqual(rows[0], made)
    assert.deepEqual(
      rows.slice(1).map(({ model, origin, created_at: at }) => [model, origin, at]),
      [['from-the-file', 'file', null]],
    )
    const gone = await ask(`/v1/prices/rules/${made.id}`, { method: 'DELETE' })
    assert.deepEqual(gone.body, made)
    const again = await ask(`/v1/prices/rules/${made.id}`, { method: 'DELETE' })
    assertError(again, 404, /no such rule/)
    const { entries } = await api.settings.audit.list(
      { noun: 'price', actorId: null, subjectId: made.id },
      { before: null, rowsMax: 5 },
    )
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor.kind]),
      [
        ['price.unset', 'token'],
        ['price.set', 'token'],
      ],
    )
  })

  test('of the file can only be removed there, and imported data is no rule', async () => {
    const { rows } = priceRuleListSchema.parse((await ask('/v1/prices/rules')).body)
    const filed = rows.find(({ origin }) => origin === 'file')
    const answer = await ask(`/v1/prices/rules/${filed?.id}`, { method: 'DELETE' })
    assertError(answer, 400, /comes from the configuration\. Take it out of .*prices\.yaml/)
    assertError(await ask('/v1/prices/rules/imported', { method: 'DELETE' }), 404, /no such rule/)
  })

  const RIGHT = { provider: 'openai', model: 'x', rates: { input: '1' } }
  const BAD: readonly (readonly [unknown, readonly RegExp[]])[] = [
    ['x', [/must be one JSON object/]],
    [{}, [/missing: provider must/, /missing: model must/, /either rates or a multiplier/]],
    [{ ...RIGHT, multiplier: '1' }, [/either rates or a multiplier/]],
    [{ ...RIGHT, rates: { input: 2.5 } }, [/rates must be/]],
    [{ ...RIGHT, rates: { input: { base: '1', steps: [{ above: 1 }] } } }, [/rates must be/]],
    [{ ...RIGHT, rates: [] }, [/rates must be/]],
    [{ ...RIGHT, rates: {} }, [/has no rates/]],
    [{ ...RIGHT, rates: { inptu: '1' } }, [/did you mean "input"/]],
    [{ ...RIGHT, rates: { input: '-1' } }, [/not a decimal from 0/]],
    [
      { ...RIGHT, provider: 'opnai', model: 'a b' },
      [/the nearest is openai/, /unusual characters/],
    ],
    [{ ...RIGHT, effective_from: '2026-11-10' }, [/effective_from must be/]],
    [{ ...RIGHT, note: 'x'.repeat(501) }, [/note must be/]],
    [{ ...RIGHT, rates: undefined, multiplier: '200' }, [/up to 100/]],
    [{ ...RIGHT, more: 1 }, [/unknown member more/]],
  ]

  for (const [body, texts] of BAD) {
    test(`${JSON.stringify(body)?.slice(0, 60)} is refused with all that is wrong`, async () => {
      const { revision } = await api.settings.prices.read()
      const answer = await ask('/v1/prices/rules', { method: 'POST', body })
      for (const text of texts) assertError(answer, 400, text)
      assert.equal((await api.settings.prices.read()).revision, revision)
    })
  }
})

describe('repricing', () => {
  const reprice = async (body: object) => {
    const answer = await ask('/v1/prices/reprice', { method: 'POST', body })
    assert.equal(answer.status, 200, answer.text)
    return repriceAnswerSchema.parse(answer.body)
  }
  const listAudit = async () =>
    await api.settings.audit.list(
      { noun: 'usage', actorId: null, subjectId: null },
      { before: null, rowsMax: 5 },
    )

  test('goes from a model without a price to costs that an operator answers for', async () => {
    const missing = async () =>
      missingPriceListSchema.parse((await ask('/v1/prices/missing')).body).rows
    const row = { provider: 'openai', model: 'unheard-of', requests: CALLS }
    const [first] = await missing()
    assert.deepEqual([{ ...first, ...row }, first?.wants], [first, 'price'])
    assert.deepEqual(first?.units, ['input', 'output'])
    const rule = await set({
      provider: 'openai',
      model: 'unheard-of',
      effective_from: '2026-11-10T00:00:00Z',
      rates: { input: '1', output: '2' },
    })
    assert.equal((await missing())[0]?.wants, 'reprice')
    const about = { provider: 'openai', model: 'unheard-*' }
    const looked = await reprice(about)
    assert.deepEqual([looked.applied, looked.calls, looked.before_usd], [false, CALLS, '0'])
    assert.deepEqual((await listAudit()).entries, [])
    assert.equal((await missing()).length, 1)
    const done = await reprice({ ...about, apply: true })
    assert.deepEqual({ ...done, applied: false, repricing: null }, looked)
    assert.equal(done.repricing?.who, 'test')
    assert.equal(done.applied, true)
    assert.deepEqual(await missing(), [])
    const [repricing] = await api.usage.upkeep.listRepricings(1)
    assert.deepEqual([repricing?.who, repricing?.records], ['test', CALLS])
    const { entries } = await listAudit()
    assert.equal(entries.length, 1)
    const [{ action, actor, subjectId, changes } = {}] = entries
    assert.deepEqual(
      [action, actor?.kind, subjectId],
      ['usage.reprice', 'token', String(repricing?.id)],
    )
    assert.deepEqual(changes, {
      calls: { after: CALLS },
      cost_usd: { before: '0', after: done.after_usd },
    })
    assert.equal((await reprice({ ...about, apply: true })).applied, false)
    assert.equal((await listAudit()).entries.length, 1)
    await unset(rule)
  })

  test('shows costs to who may read usage, and keys to who may read keys as well', async () => {
    const rule = await set({
      provider: 'openai',
      model: 'unheard-of',
      effective_from: '2026-11-10T00:00:00Z',
      rates: { input: '3', output: '4' },
    })
    const body = { provider: 'openai', model: 'unheard-of', all: true }
    const whole = await reprice(body)
    assert.deepEqual([whole.calls, whole.by_key[0]?.api_key], [CALLS, 'svc_k_a'])
    const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, null]))
    const rows: readonly (readonly [readonly TokenScope[], object])[] = [
      [['write:prices'], { ...nothing, applied: false }],
      [['write:prices', 'read:keys'], { ...nothing, applied: false }],
      [['write:prices', 'read:usage'], { ...whole, by_key: null }],
      [['admin'], whole],
    ]
    for (const [scopes, expected] of rows) {
      const authorization = await api.authorize(...scopes)
      const answer = await ask('/v1/prices/reprice', { method: 'POST', body, authorization })
      assert.deepEqual(repriceOutcomeSchema.parse(answer.body), expected, scopes.join())
    }
    await unset(rule)
  })

  test('is done one at a time, and others are answered meanwhile', async () => {
    const opened = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    delay = opened.promise
    begin = begun.resolve
    const first = reprice({ all: true })
    const again = { method: 'POST', body: {} }
    try {
      await begun.promise
      const second = await ask('/v1/prices/reprice', again)
      assertError(second, 409, /one run at a time/)
      assert.equal((await ask('/v1/prices/missing')).status, 200)
    } finally {
      opened.resolve()
    }
    assert.equal((await first).applied, false)
    assert.equal((await ask('/v1/prices/reprice', again)).status, 200)
  })

  test('refuses a body with all that is wrong', async () => {
    const post = (body: unknown) => ask('/v1/prices/reprice', { method: 'POST', body })
    const odd = await post({ provider: '', api_key: 'svc_k_a.b', from: 'x', all: 1, apply: 'yes' })
    for (const name of ['provider', 'api_key', 'from', 'all', 'apply']) {
      assertError(odd, 400, new RegExp(`${name} must be`))
    }
    assertError(await post({ from: '2026-10-02', to: '2026-10-02' }), 400, /from must be before/)
    assertError(await post({ provider: 'nosuch' }), 400, /no provider "nosuch"/)
  })
})

const REFUSALS: readonly (readonly [string, string, string])[] = [
  ['GET', '/v1/prices', 'read:usage'],
  ['GET', '/v1/prices/history', 'read:usage'],
  ['GET', '/v1/prices/rules', 'read:usage'],
  ['POST', '/v1/prices/rules', 'write:prices'],
  ['DELETE', '/v1/prices/rules/price_a', 'write:prices'],
  ['GET', '/v1/prices/missing', 'read:usage'],
  ['POST', '/v1/prices/reprice', 'write:prices'],
]

for (const [method, address, scope] of REFUSALS) {
  test(`${method} ${address} needs a token with scope ${scope}, and takes no parameter it does not know`, async () => {
    assertError(await ask(address, { method, authorization: null }), 401, /token/)
    const other = await api.authorize(scope === 'read:usage' ? 'write:prices' : 'read:usage')
    assertError(await ask(address, { method, authorization: other }), 403, new RegExp(scope))
    assertError(await ask(`${address}?odd=1`, { method }), 400, /Unknown parameter odd/)
  })
}
