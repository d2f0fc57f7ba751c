import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCorrectedSources } from '../data/bundled-prices.ts'
import type { CorrectedModel } from '../data/correction.ts'
import { toRates } from '../data/genai-rates.ts'
import { createListTable } from './list-table.ts'
import { atTier, isGlobMatch, withFees } from './model-source.ts'
import { createPriceTables } from './price-tables.ts'
import { STANDARD_TIER } from './price-table.ts'
import { toRuleRates } from './rate-text.ts'

const RATES = toRates({ input_mtok: 2, cache_read_mtok: 0.5, output_mtok: 8 }, { image: 0.04 })

test('a tier scales token rates and leaves fees as they are', () => {
  const rates = atTier(RATES, 50, 'sketch-1')
  assert.deepEqual(rates === null ? null : toRuleRates(rates), {
    input: '1',
    cache_read: '0.25',
    output: '4',
    image: '0.04',
  })
})

test('of several rules about a tier the first that names the model decides', () => {
  const price = [
    { models: ['sketch-1', 'sketch-1-mini'], percent: 175 },
    { models: ['sketch-*'], percent: 200, except: ['cache_read_mtok'] },
  ]
  const input = (model: string) => {
    const rates = atTier(RATES, price, model)
    return rates === null ? null : toRuleRates(rates)
  }
  assert.equal(input('sketch-1')?.['input'], '3.5')
  assert.equal(input('sketch-1')?.['cache_read'], '0.875')
  assert.equal(input('sketch-2')?.['input'], '4')
  assert.equal(input('sketch-2')?.['cache_read'], '0.5')
  assert.equal(input('other'), null)
})

test('a fee that holds for many models does not replace what a model says itself', () => {
  const rules = [
    { kind: 'web_search', price: 0.01, models: ['sketch-*'] },
    { kind: 'web_search', price: 0.02 },
    { kind: 'image', price: 9 },
  ]
  const fees = (model: string) => toRuleRates(withFees(RATES, rules, model))
  assert.equal(fees('sketch-1')['web_search'], '0.01')
  assert.equal(fees('other')['web_search'], '0.02')
  assert.equal(fees('other')['image'], '0.04')
})

test('a fee does not pass for the price of a model whose price nobody knows', () => {
  const rates = withFees(toRates({}), [{ kind: 'web_search', price: 0.01 }], 'sketch-1')
  assert.deepEqual(rates.toolCalls, {})
})

const SKETCH: CorrectedModel = {
  against: '2026-03-01',
  id: 'sketch-1',
  match: { starts_with: 'sketch-1' },
  prices: [
    { prices: { input_mtok: 2 }, perUnit: { image: 0.04 } },
    {
      from: '2026-03-01',
      prices: { input_mtok: 1, requests_kcount: 5 },
      perUnit: { image: 0.02 },
      tiers: { priority: { input_mtok: 1.75 } },
    },
    { from: '2026-03-01', hours: { start: '22:30', end: '06:00' }, prices: { input_mtok: 0.5 } },
  ],
}
const sketches = createPriceTables({
  tables: [createListTable('corrected', toCorrectedSources({ own: [SKETCH] }))],
})

const CORRECTED_CASES = [
  ['before its start', '2026-02-28T23:59:59.999Z', null, { input: '2', image: '0.04' }],
  ['from its start', '2026-03-01T06:00:00Z', null, { input: '1', request: '0.005', image: '0.02' }],
  ['in the evening', '2026-03-01T22:30:00Z', null, { input: '0.5' }],
  ['before the morning', '2026-03-02T05:59:59Z', null, { input: '0.5' }],
  [
    'in a tier of its own',
    '2026-03-02T12:00:00Z',
    'priority',
    { input: '1.75', request: '0.005', image: '0.02' },
  ],
  ['in that tier before there was one', '2026-02-01T12:00:00Z', 'priority', null],
] as const

for (const [title, at, serviceTier, expected] of CORRECTED_CASES) {
  test(`a corrected model has its price ${title}`, () => {
    const question = { provider: 'own', model: 'sketch-1', serviceTier, atMs: Date.parse(at) }
    const entry = sketches.find(question)
    assert.deepEqual(entry === null ? null : toRuleRates(entry.rates), expected)
  })
}

test('a version names its start, its hours and its tier', () => {
  const list = (at: string) =>
    sketches.list({ provider: 'own', model: 'sketch-1', atMs: Date.parse(at) })
  const versions = [...list('2026-03-02T12:00:00Z'), ...list('2026-03-02T23:00:00Z')]
  assert.deepEqual(
    versions.map(({ entry }) => entry.version.replace(/ #.*/, '')),
    [
      'corrected own/sketch-1@2026-03-01',
      'corrected own/sketch-1@2026-03-01 priority',
      'corrected own/sketch-1@2026-03-01T22:30',
    ],
  )
  assert.equal(versions[0]?.tier, STANDARD_TIER)
})

const GLOB_CASES = [
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['a*c', 'abc', true],
  ['a*c', 'abcd', false],
  ['*b*', 'abc', true],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c', false],
] as const

for (const [pattern, name, fits] of GLOB_CASES) {
  test(`${pattern} ${fits ? 'fits' : 'does not fit'} ${JSON.stringify(name)}`, () => {
    assert.equal(isGlobMatch(pattern.split('*'), name), fits)
  })
}
