import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PriceRule, RulePrice } from '../../core/price-rule.ts'
import { createPriceTables } from './price-tables.ts'
import type { PriceCatalog } from './price-tables.ts'
import type { PricePeriod } from './price-history.ts'
import type { PriceEntry, PriceHours, PriceTable, PriceVersion } from './price-table.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const day = (count: number): number => count * DAY_MS

function entry(version: string, rate = 1n): PriceEntry {
  const rates = { tokens: { input: { base: rate, steps: [] } }, toolCalls: {}, request: null }
  return { rates: { ...rates, isFree: false }, source: 'price-book', version }
}

function version(
  fromMs: number,
  tiers: Readonly<Record<string, PriceEntry>>,
  hours: PriceHours | null = null,
): PriceVersion {
  return { fromMs, hours, entries: new Map(Object.entries(tiers)), modelId: 'listed' }
}

function rule(id: string, effectiveFrom: number, change: Partial<PriceRule>): PriceRule {
  const about = { provider: 'acme', model: 'big', tier: null, note: null, createdAt: 0 }
  return { id, ...about, effectiveFrom, price: RATES, ...change }
}

function bookOf(versions: readonly PriceVersion[], rules: readonly PriceRule[] = []): PriceCatalog {
  const table: PriceTable = {
    findVersions: (_provider, model) => (model === 'big' ? versions : null),
    listModels: () => [{ provider: 'acme', model: 'big' }],
  }
  return createPriceTables({ tables: [table], rules })
}

function periodsOf(priceTables: PriceCatalog, atDay: number): readonly PricePeriod[] {
  return priceTables.listPeriods({ provider: 'acme', model: 'big', atMs: day(atDay) })
}

/** `standard a@3*`: the version of a tier, the day it begins, and whether it holds now. */
function toTexts(periods: readonly PricePeriod[]): readonly string[] {
  return periods.map(({ tier, entry: { version: name }, fromMs, isCurrent }) => {
    const since = fromMs === null ? 'ever' : String(fromMs / DAY_MS)
    const short = name.replace(/@\S*/, '').replace(/ #\S*/, '')
    return `${tier} ${short}@${since}${isCurrent ? '*' : ''}`
  })
}

const FACTOR: RulePrice = { kind: 'multiplier', factor: '0.5' }
const RATES: RulePrice = { kind: 'rates', rates: { input: '1' } }
const LISTED = [
  version(-Infinity, { standard: entry('a'), batch: entry('b') }),
  version(day(10), { standard: entry('c') }),
  version(day(30), { standard: entry('d'), batch: entry('e') }),
]

test('each tier has its prices, the newest first, and the ordinary tier comes before the others', () => {
  assert.deepEqual(toTexts(periodsOf(bookOf(LISTED), 20)), [
    'standard d@30',
    'standard c@10*',
    'standard a@ever',
    'batch e@30',
    'batch b@ever',
  ])
})

test('a rule ends the listed price from its moment on, and a later list does not end the rule', () => {
  assert.deepEqual(toTexts(periodsOf(bookOf(LISTED, [rule('r', day(20), {})]), 40)), [
    'standard override r@20*',
    'standard c@10',
    'standard a@ever',
    'batch override r × batch@30*',
    'batch b@ever',
  ])
})

test('a factor makes a period of its own out of every listed price that it meets', () => {
  assert.deepEqual(
    toTexts(
      periodsOf(bookOf(LISTED, [rule('f', day(20), { price: FACTOR, tier: 'standard' })]), 25),
    ),
    [
      'standard override f × d@30',
      'standard override f × c@20*',
      'standard c@10',
      'standard a@ever',
      'batch e@30',
      'batch b@ever',
    ],
  )
})

test('a rule since ever leaves nothing older, and a tier of its own is among them', () => {
  const rules = [rule('r', 0, {}), rule('t', day(5), { tier: 'flex' })]
  assert.deepEqual(toTexts(periodsOf(bookOf(LISTED.slice(0, 1), rules), 1)), [
    'standard override r@ever*',
    'batch override r × batch@ever*',
    'flex override t@5',
  ])
})

test('prices of some hours stand beside the one of the rest, until one for all hours ends them', () => {
  const night = { startMs: 16 * HOUR_MS, endMs: 8 * HOUR_MS }
  const priceTables = bookOf([
    version(-Infinity, { standard: entry('low') }),
    version(day(3), { standard: entry('high') }),
    version(day(3), { standard: entry('night') }, night),
    version(day(5), { standard: entry('later night') }, night),
    version(day(9), { standard: entry('one') }),
  ])
  const periods = periodsOf(priceTables, 6)
  assert.deepEqual(toTexts(periods), [
    'standard one@9',
    'standard later night@5*',
    'standard high@3*',
    'standard night@3',
    'standard low@ever',
  ])
  assert.deepEqual(
    periods.filter(({ hours }) => hours !== null).map(({ hours }) => hours),
    [night, night],
  )
  const later = periodsOf(priceTables, 10).filter(({ isCurrent }) => isCurrent)
  assert.deepEqual(toTexts(later), ['standard one@9*'])
})

test('a tier follows its list under a rule for the model, and the rule from its moment on', () => {
  const listed = [
    version(-Infinity, { standard: entry('a', 10n), batch: entry('b', 5n) }),
    version(day(30), { standard: entry('c', 10n), batch: entry('d', 2n) }),
  ]
  const periods = periodsOf(bookOf(listed, [rule('r', day(20), {})]), 25)
  assert.deepEqual(toTexts(periods), [
    'standard override r@20*',
    'standard a@ever',
    'batch override r × batch@30',
    'batch override r × batch@20*',
    'batch b@ever',
  ])
  const inputs = periods.map(({ entry: { rates } }) => rates.tokens.input?.base)
  // A dollar for a million is 1e18 of the smallest unit for one: a half, then a fifth of it.
  assert.deepEqual(inputs.slice(2, 4), [2n * 10n ** 17n, 5n * 10n ** 17n])
})

test('a tier that stays as it was follows the change of the ordinary price', () => {
  const batch = entry('b', 5n)
  const listed = [
    version(-Infinity, { standard: entry('a', 10n), batch }),
    version(day(30), { standard: entry('c', 20n), batch }),
  ]
  const priceTables = bookOf(listed, [rule('r', 0, {})])
  const inputAt = (at: number) => {
    const question = { provider: 'acme', model: 'big', serviceTier: 'batch', atMs: day(at) }
    return priceTables.find(question)?.rates.tokens.input?.base
  }
  // A half, then a quarter, of a dollar for a million.
  assert.deepEqual([inputAt(1), inputAt(30)], [5n * 10n ** 17n, 25n * 10n ** 16n])
  const since = priceTables.list({ provider: 'acme', model: 'big', atMs: day(31) })
  assert.deepEqual(
    since.map(({ tier, fromMs }) => [tier, fromMs]),
    [
      ['standard', 0],
      ['batch', day(30)],
    ],
  )
})

const RULED = ['openai', 'deepseek', 'vertex'].map((provider) =>
  rule(`all-${provider}`, Date.UTC(2025, 0, 1), { provider, model: '*' }),
)

for (const [title, rules] of [
  ['bundled prices', []],
  ["operator's prices", RULED],
] as const) {
  test(`of every moment the ${title} say what the book finds`, () => assertAgreement(rules))
}

function assertAgreement(rules: readonly PriceRule[]): void {
  const priceTables = createPriceTables({ rules })
  const moments = [0, 365, 700].map((days) => Date.UTC(2024, 2, 1) + day(days))
  const models = priceTables.listModels().filter((_, index) => index % 7 === 0)
  assert.ok(models.length > 100)
  for (const model of models) {
    for (const atMs of moments) {
      const current = priceTables
        .listPeriods({ ...model, atMs })
        .filter(({ isCurrent }) => isCurrent)
      for (const price of priceTables.list({ ...model, atMs })) {
        const found = current.find(({ tier, entry: { version: name } }) => {
          return tier === price.tier && name === price.entry.version
        })
        assert.deepEqual(
          found?.hours,
          price.hours,
          `${model.provider} ${model.model} ${price.tier}`,
        )
      }
    }
  }
}

test('a model that nobody knows has none', () => {
  assert.deepEqual(bookOf(LISTED).listPeriods({ provider: 'acme', model: 'other', atMs: 0 }), [])
})
