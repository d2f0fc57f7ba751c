import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { findFocusFaults } from '../../../test/exports/check-focus.ts'
import { INSIDE, isCharged, MONTH, NOW, OUTSIDE } from '../../../test/exports/month-scene.ts'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import type { CsvFile, CsvRow } from '../../../test/exports/parse-csv.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { createRequestId } from '../../core/ids.ts'
import { parseMoney } from '../../core/money.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { Cost, UsageRecord } from '../../core/usage-record.ts'
import { FOCUS_DAILY_COLUMNS } from './focus-columns.ts'
import { toFocusDaily } from './focus-daily.ts'
import type { FocusRow } from './focus-csv.ts'
import { toMonthRange } from './month-records.ts'

const CONTEXT = { month: toMonthRange(MONTH), keys: new Map<string, never>(), names: new Map() }
const KEY = 'svc_k_aaaaaaaaaaaaaaaa'

function call(
  endedAt: string,
  event: Partial<UsageEvent> = {},
  cost: Partial<Cost> = {},
): UsageRecord {
  const ended = Date.parse(endedAt)
  const startedAt = ended - 500
  return createRecord(
    { id: createRequestId(startedAt), startedAt, endedAt: ended, keyId: KEY, ...event },
    cost,
  )
}

async function sum(
  pages: readonly (readonly UsageRecord[])[],
  limits = {},
): Promise<readonly FocusRow[]> {
  async function* read(): AsyncGenerator<readonly UsageRecord[]> {
    yield* pages
  }
  const rows: FocusRow[] = []
  for await (const piece of toFocusDaily(read(), CONTEXT, limits)) rows.push(...piece)
  return rows
}

test('adds up the calls of a day that have their words in common', async () => {
  const tokens = createTokenCounts({ input: 10, output: 5, cacheRead: 4, reasoning: 2 })
  const rows = await sum([
    [
      call('2026-10-14T00:00:00.000Z', { tokens, dims: { a: '1', b: '2' } }, { amount: 1n }),
      call('2026-10-14T23:59:59.999Z', { tokens, dims: { b: '2', a: '1' } }, { amount: 3n }),
    ],
  ])
  assert.equal(rows.length, 1)
  const [row] = rows
  assert.ok(row !== undefined)
  const picked = [
    row.ChargePeriodStart,
    row.ChargePeriodEnd,
    row.BilledCost,
    row.ListCost,
    row.PricingQuantity,
    row.ConsumedQuantity,
    row.x_CacheReadTokens,
    row.x_ReasoningTokens,
    row.ChargeDescription,
  ]
  assert.deepEqual(picked, [
    '2026-10-14T00:00:00Z',
    '2026-10-15T00:00:00Z',
    '0.000000000004',
    '0.000000000004',
    2,
    30,
    8,
    4,
    'model-1, 2 calls, 30 tokens',
  ])
})

const APART: readonly (readonly [string, Partial<UsageEvent>, Partial<Cost>])[] = [
  ['another key', { keyId: null }, {}],
  ['another provider', { provider: 'other' }, {}],
  ['another model', { model: 'model-2' }, {}],
  ['no model', { model: null }, {}],
  ['another tier', { serviceTier: 'flex' }, {}],
  ['another region', { region: 'eu' }, {}],
  ['other dimensions', { dims: { team: 'x' } }, {}],
  ['no tokens, which are counted as requests', { tokens: null }, {}],
  ['a cost that is not known', {}, { amount: null, source: 'unpriced', priceVersion: null }],
]

for (const [name, event, cost] of APART) {
  test(`keeps apart: ${name}`, async () => {
    const one = call('2026-10-14T10:00:00.000Z')
    const rows = await sum([[one, call('2026-10-14T10:00:01.000Z', event, cost)]])
    assert.deepEqual(
      rows.map((row) => row.PricingQuantity),
      [1, 1],
    )
  })
}

test('writes a day once it is over, whatever is still read', async () => {
  const pages = [
    [call('2026-10-01T10:00:00.000Z')],
    [call('2026-10-02T00:30:00.000Z')],
    [call('2026-10-02T01:00:01.000Z'), call('2026-10-03T02:00:00.000Z')],
  ]
  let read = 0
  async function* count(): AsyncGenerator<readonly UsageRecord[]> {
    for (const page of pages) {
      read += 1
      yield page
    }
  }
  const seen: unknown[] = []
  for await (const rows of toFocusDaily(count(), CONTEXT)) {
    for (const row of rows) seen.push([read, row.ChargePeriodStart, row.PricingQuantity])
  }
  assert.deepEqual(seen, [
    [3, '2026-10-01T00:00:00Z', 1],
    [3, '2026-10-02T00:00:00Z', 2],
    [3, '2026-10-03T00:00:00Z', 1],
  ])
})

test('where rows do not fit, they come in parts, and nothing is lost', async () => {
  const pages = Array.from({ length: 50 }, (_, at) => [
    call('2026-10-14T10:00:00.000Z', { dims: { id: String(at % 25) } }, { amount: 1n }),
  ])
  const whole = await sum(pages)
  const parts = await sum(pages, { waitingBytesMax: 20_000 })
  assert.equal(whole.length, 25)
  assert.ok(parts.length > 25 && parts.length <= 50, `${parts.length} rows`)
  for (const rows of [whole, parts]) {
    const billed = rows.reduce((total, row) => total + (parseMoney(row.BilledCost) ?? 0n), 0n)
    assert.equal(billed, 50n)
  }
})

/** What can be added up, in figures of 1e-12. */
const SUMMED =
  'BilledCost EffectiveCost ContractedCost ListCost PricingQuantity ConsumedQuantity x_MarketCost x_InputTokens x_OutputTokens x_ReasoningTokens x_CacheReadTokens x_CacheWrite5mTokens x_CacheWrite1hTokens'.split(
    ' ',
  )
const WORDS =
  'SubAccountId SubAccountName ProviderName SkuId SkuPriceId RegionId Tags x_CostSource x_Model ConsumedUnit PricingCategory BillingPeriodStart'.split(
    ' ',
  )

/** By day and words, worked out from the text of the file alone. */
function addUp({ rows }: CsvFile, dayOf: (row: CsvRow) => string): Map<string, string[]> {
  const sums = new Map<string, bigint[]>()
  for (const row of rows) {
    const words = [dayOf(row), ...WORDS.map((name) => row[name])].join(' | ')
    const known = sums.get(words) ?? []
    const next = SUMMED.map((name, at) => (known[at] ?? 0n) + (parseMoney(row[name]) ?? 0n))
    sums.set(words, next)
  }
  const entries = [...sums].map(([words, each]): [string, string[]] => [words, each.map(String)])
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

async function openMonth(context: TestContext) {
  const api = await openApi(NOW)
  context.after(() => api.close())
  const authorization = await api.authorize('read:requests')
  const read = async (search: string) => {
    const response = await api.get(`/v1/exports/focus.csv?month=${MONTH}${search}`, authorization)
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return { response, file: parseCsv(text) }
  }
  return { api, read }
}

/** Amounts that floats would lose, over ten days, of two keys and three models. */
const MANY: readonly UsageRecord[] = Array.from({ length: 600 }, (_, at) => {
  const startedAt = Date.parse('2026-10-05T00:00:00.000Z') + at * 1_440_000
  const id = createRequestId(startedAt)
  const dims = at % 2 === 0 ? { team: 'a' } : {}
  const keyId = at % 3 === 0 ? KEY : 'svc_k_bbbbbbbbbbbbbbbb'
  const event = { id, startedAt, endedAt: startedAt + 250, keyId, model: `m-${at % 3}`, dims }
  return createRecord(event, { amount: 123_456_789_012_345n + BigInt(at) })
})

test('the file is as FOCUS asks for, and its columns add up to those of single calls', async (context) => {
  const { api, read } = await openMonth(context)
  await api.store.writeBatch(batchOf(...INSIDE, ...OUTSIDE, ...MANY))
  const { response, file } = await read('&granularity=daily')
  assert.match(response.headers.get('content-disposition') ?? '', /"weir-focus-daily-2026-10\.csv"/)
  assert.deepEqual(findFocusFaults(file, FOCUS_DAILY_COLUMNS), [])
  const single = (await read('&granularity=call')).file
  const ended = new Map([...INSIDE, ...MANY].map(({ event }) => [event.id, event.endedAt]))
  const days = addUp(file, (row) => (row['ChargePeriodStart'] ?? '').slice(0, 10))
  const calls = addUp(single, (row) => {
    const endedAt = ended.get(row['x_RequestId'] ?? '')
    return new Date(endedAt ?? Number.NaN).toISOString().slice(0, 10)
  })
  assert.deepEqual(days, calls)
  assert.equal(file.rows.length, days.size)
  assert.ok(file.rows.length < single.rows.length / 5, `${file.rows.length} rows`)
  const quantity = file.rows.reduce((sum, row) => sum + Number(row['PricingQuantity']), 0)
  assert.equal(quantity, INSIDE.filter(isCharged).length + MANY.length)
  const period = { grain: 'month', from: MONTH, to: MONTH } as const
  const [total] = await api.usage.sum({ period, grouping: { by: 'total' }, keyId: null })
  const billed = file.rows.reduce((sum, row) => sum + (parseMoney(row['BilledCost']) ?? 0n), 0n)
  assert.equal(billed, total?.cost)
  // The call that began in August and ended on the second is read last.
  const ordered = file.rows.map((row) => row['ChargePeriodStart'] ?? '')
  const others = ordered.filter((day) => day !== '2026-10-02T00:00:00Z')
  assert.equal(others.length, ordered.length - 1)
  assert.deepEqual(others, others.toSorted())
})

test('a month without calls is the names of the columns alone', async (context) => {
  const { read } = await openMonth(context)
  const { file } = await read('&granularity=daily')
  assert.deepEqual([file.names, file.rows], [FOCUS_DAILY_COLUMNS.map(({ name }) => name), []])
})
