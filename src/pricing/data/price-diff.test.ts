import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleRates } from '../../core/price-rule.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import type { PriceCatalog } from '../tables/price-tables.ts'
import { diffPrices, largeMoves } from './price-diff.ts'
import { createFileTables, parsePriceFile } from './price-file.ts'

const NOW = Date.parse('2026-11-15T00:00:00Z')

type Price = Readonly<Record<string, unknown>>

function createBook(models: Readonly<Record<string, readonly Price[]>>): PriceCatalog {
  const parsed = parsePriceFile(
    JSON.stringify({
      format: 'weir-prices/1',
      version: 'v',
      published_at: '2026-11-01T00:00:00Z',
      models: Object.entries(models).map(([name, prices]) => {
        return { provider: 'own', names: [name], prices }
      }),
    }),
  )
  assert.ok(parsed.kind === 'valid')
  return createPriceTables({ tables: createFileTables(parsed.file) })
}

const input = (text: string): Price => ({ rates: { input: text } })

test('a book does not differ from itself', () => {
  const priceTables = createPriceTables()
  const { modelsBefore, ...diff } = diffPrices(priceTables, createPriceTables(), NOW)
  assert.deepEqual(diff, { added: [], removed: [], changed: [] })
  assert.ok(modelsBefore > 1000)
})

test('tells which models came, went and changed, with old and new rate', () => {
  const before = createBook({ a: [input('2')], b: [input('1')], c: [input('3')] })
  const after = createBook({ a: [input('2.5')], c: [input('3')], d: [input('1')] })
  assert.deepEqual(diffPrices(before, after, NOW), {
    added: [{ provider: 'own', model: 'd' }],
    removed: [{ provider: 'own', model: 'b' }],
    changed: [
      {
        provider: 'own',
        model: 'a',
        tier: 'standard',
        unit: 'input',
        before: '2',
        after: '2.5',
        percent: 25,
        isLarge: false,
      },
    ],
    modelsBefore: 3,
  })
})

test('compares what holds at the moment', () => {
  const before = createBook({ a: [input('2')] })
  const after = createBook({ a: [input('2'), { from: '2026-12-01', rates: { input: '3' } }] })
  assert.equal(diffPrices(before, after, NOW).changed.length, 0)
  assert.equal(diffPrices(before, after, Date.parse('2026-12-01')).changed.length, 1)
})

test('tells steps, tiers and units apart', () => {
  const steps = (rate: string) => ({ input: { base: '1', steps: [{ above: 100, rate }] } })
  const before = createBook({
    a: [{ rates: { ...steps('2'), image: '1' } }, { tier: 'batch', rates: { input: '1' } }],
  })
  const after = createBook({ a: [{ rates: { ...steps('3'), output: '8' } }] })
  const rows = diffPrices(before, after, NOW).changed.map((change) => {
    const { tier, unit, percent } = change
    return [tier, unit, change.before, change.after, percent]
  })
  assert.deepEqual(rows, [
    ['standard', 'input above 100', '2', '3', 50],
    ['standard', 'image', '1', null, null],
    ['standard', 'output', null, '8', null],
    ['batch', 'input', '1', null, null],
  ])
})

const MOVE_CASES = [
  ['2', '6', false],
  ['2', '6.000000000000000001', true],
  ['3', '1', false],
  ['3', '0.999999999999999999', true],
  ['0', '0.1', true],
  ['0.1', '0', true],
] as const

for (const [old, fresh, isLarge] of MOVE_CASES) {
  test(`a move from ${old} to ${fresh} is ${isLarge ? 'large' : 'not large'}`, () => {
    const diff = diffPrices(createBook({ a: [input(old)] }), createBook({ a: [input(fresh)] }), NOW)
    assert.equal(largeMoves(diff).changes.length, isLarge ? 1 : 0)
  })
}

test('a model that was free and is charged for moved a long way', () => {
  const diff = diffPrices(createBook({ a: [{ free: true }] }), createBook({ a: [input('1')] }), NOW)
  assert.deepEqual(
    largeMoves(diff).changes.map(({ before, after }) => [before, after]),
    [['0', '1']],
  )
})

test('more than a tenth of the models gone is too much', () => {
  const models = (count: number) =>
    createBook(Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, [input('1')]])))
  assert.equal(largeMoves(diffPrices(models(20), models(18), NOW)).isShrunk, false)
  assert.equal(largeMoves(diffPrices(models(20), models(17), NOW)).isShrunk, true)
})

test('a model whose price nobody knows counts as none', () => {
  const before = createBook({ a: [{ rates: {} }] })
  const { added, modelsBefore } = diffPrices(before, createBook({ a: [input('1')] }), NOW)
  assert.deepEqual([added.length, modelsBefore], [1, 0])
})

const STEPPED = { base: '3', steps: [{ above: 200, rate: '6' }] }
const GONE_CASES: readonly [string, RuleRates, RuleRates, readonly string[]][] = [
  [
    'cached reads that cost as input',
    { input: '3', cache_read: '0.3' },
    { input: '3' },
    ['cache_read'],
  ],
  [
    'writes that have a price no more',
    { input: '3', cache_write_5m: '4', cache_write_1h: '6' },
    { input: '3', cache_write_5m: '4' },
    [],
  ],
  ['sound that costs as text', { input: '1', input_audio: '40' }, { input: '1' }, ['input_audio']],
  ['a step of twice the rate', { input: STEPPED }, { input: '3' }, []],
  ['a step and the rate behind it', { input: STEPPED }, { input: '1.9' }, ['input above 200']],
  [
    'a new step far above',
    { input: '1' },
    { input: { ...STEPPED, base: '1' } },
    ['input above 200'],
  ],
  ['a whole, whose calls are unpriced', { input: '3', output: '9' }, { input: '3' }, []],
]

for (const [name, before, after, expected] of GONE_CASES) {
  test(`a rate that comes or goes moves what it is charged by: ${name}`, () => {
    const diff = diffPrices(
      createBook({ a: [{ rates: before }] }),
      createBook({ a: [{ rates: after }] }),
      NOW,
    )
    assert.deepEqual(
      largeMoves(diff).changes.map(({ unit }) => unit),
      expected,
    )
  })
}
