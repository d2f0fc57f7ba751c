import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleCall } from '../../../test/fakes/stored-calls.ts'
import type { PriceRule } from '../../core/price-rule.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { BUNDLE, BUNDLE_VERSION } from '../data/bundle.ts'
import { toModelSources } from '../data/genai-versions.ts'
import type { GenaiModel } from '../data/model-price.ts'
import { createFileTables, parsePriceFile } from '../data/price-file.ts'
import { createListTable } from './list-table.ts'
import { exactNames } from './model-match.ts'
import { createPriceTables } from './price-tables.ts'
import type { PriceCatalog } from './price-tables.ts'
import { priceUse } from './price.ts'
import { findCallDifferences, findSourceDifferences } from './source-differences.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')

/** The batch price changes in October, when the second source begins to differ on the others. */
const SKETCH: GenaiModel = {
  id: 'sketch-1',
  match: { equals: 'sketch-1' },
  prices: { input_mtok: 2, output_mtok: 8 },
  variants: [{ tier: 'batch', from: '2026-10-01', prices: { input_mtok: 1, output_mtok: 4 } }],
  source: 'first',
  others: [
    {
      tier: 'standard',
      from: '2026-10-01',
      until: '2027-01-01',
      source: 'second',
      prices: { input_mtok: 2.5, cache_read_mtok: 0.25 },
    },
  ],
}
const PLAIN: GenaiModel = {
  id: 'plain-1',
  match: { equals: 'plain-1' },
  prices: { input_mtok: 1, output_mtok: 1 },
  variants: [{ tier: 'flex', prices: { input_mtok: 0.5 }, source: 'second' }],
  source: 'first',
}

function bookOf(models: readonly GenaiModel[], rules: readonly PriceRule[] = []): PriceCatalog {
  const sources = toModelSources(new Map([['acme', models]]))
  return createPriceTables({ tables: [createListTable('list', sources)], rules })
}

function entryOf(priceTables: PriceCatalog, model: string, { tier = null as string | null } = {}) {
  const entry = priceTables.find({ provider: 'acme', model, serviceTier: tier, atMs: NOW })
  return entry ?? assert.fail(`${model} has no price`)
}

const HALF: PriceRule = {
  id: 'price_1',
  provider: 'acme',
  model: 'sketch-1',
  tier: null,
  effectiveFrom: 0,
  price: { kind: 'multiplier', factor: '0.5' },
  note: null,
  createdAt: 0,
}

// The list has 2 for input and no rate of its own for cached reads.
const DIFFERENCE = {
  source: 'second',
  rates: { input: '2.5', cache_read: '0.25' },
  listed: { input: '2' },
}

test('a difference has both figures, where the list has one', () => {
  const priceTables = bookOf([SKETCH, PLAIN])
  assert.deepEqual(findSourceDifferences(entryOf(priceTables, 'sketch-1')), [DIFFERENCE])
  assert.deepEqual(findSourceDifferences(entryOf(priceTables, 'plain-1')), [])
  assert.deepEqual(findSourceDifferences(entryOf(priceTables, 'sketch-1', { tier: 'batch' })), [])
})

test('a price that two sources make up names both', () => {
  const priceTables = bookOf([SKETCH, PLAIN])
  assert.deepEqual(entryOf(priceTables, 'plain-1').origin?.sources, ['first'])
  assert.deepEqual(entryOf(priceTables, 'plain-1', { tier: 'flex' }).origin?.sources, [
    'first',
    'second',
  ])
})

test('what another tier changes does not hide the difference, nor begin another price', () => {
  const periods = bookOf([SKETCH]).listPeriods({ provider: 'acme', model: 'sketch-1', atMs: NOW })
  const standard = periods.filter(({ tier }) => tier === 'standard')
  assert.deepEqual(
    standard.map(({ fromMs, entry }) => [fromMs, findSourceDifferences(entry).length]),
    [[null, 1]],
  )
})

test('a factor keeps the listed figures beside those of the other source', () => {
  const entry = entryOf(bookOf([SKETCH], [HALF]), 'sketch-1')
  assert.equal(entry.source, 'override')
  assert.deepEqual(entry.origin?.sources, ['first'])
  assert.deepEqual(findSourceDifferences(entry), [DIFFERENCE])
})

test("an operator's own rates are from no list", () => {
  const price = { kind: 'rates', rates: { input: '1' } } as const
  const entry = entryOf(bookOf([SKETCH], [{ ...HALF, price }]), 'sketch-1')
  assert.equal(entry.origin, undefined)
  assert.deepEqual(findSourceDifferences(entry), [])
})

test('imported prices and corrections say so', () => {
  const models = [{ provider: 'acme', names: ['sketch-1'], prices: [{ rates: { input: '1' } }] }]
  const file = { format: 'weir-prices/1', version: 'v-7', published_at: '2026-11-01T00:00:00Z' }
  const parsed = parsePriceFile(JSON.stringify({ ...file, models }))
  assert.ok(parsed.kind === 'valid')
  const priceTables = createPriceTables({ tables: createFileTables(parsed.file) })
  assert.deepEqual(entryOf(priceTables, 'sketch-1').origin?.sources, ['the import v-7'])
  const question = { provider: 'cohere', model: 'rerank-v3.5', serviceTier: null, atMs: NOW }
  assert.deepEqual(createPriceTables().find(question)?.origin?.sources, ["Weir's corrections"])
})

function record(event: UsageEvent, priceTables: PriceCatalog): UsageRecord {
  return { event, cost: priceUse(event, priceTables).cost }
}

test('a call has the differences of the prices that it was priced by, model by model', () => {
  const priceTables = bookOf([SKETCH, PLAIN])
  const tokens = createTokenCounts({ input: 10, output: 1 })
  const shares = ['plain-1', 'sketch-1'].map((model) => ({ model, tokens }))
  const call = { provider: 'acme', model: 'plain-1', endedAt: NOW }
  const one = record(sampleCall({ ...call, model: 'sketch-1' }), priceTables)
  const two = record(sampleCall({ ...call, shares }), priceTables)
  assert.deepEqual(findCallDifferences(one, priceTables), [{ model: 'sketch-1', ...DIFFERENCE }])
  assert.deepEqual(findCallDifferences(two, priceTables), [{ model: 'sketch-1', ...DIFFERENCE }])
  // Another price by now, none at all, and a call without a cost.
  assert.deepEqual(findCallDifferences(one, bookOf([SKETCH], [HALF])), [])
  assert.deepEqual(findCallDifferences(one, bookOf([PLAIN])), [])
  assert.deepEqual(findCallDifferences(record(one.event, bookOf([PLAIN])), priceTables), [])
})

test('all that the sources of the bundle differ in is found with its price', () => {
  const priceTables = createPriceTables()
  const lost: string[] = []
  let found = 0
  for (const [provider, models] of Object.entries(BUNDLE.providers)) {
    for (const { match, others = [] } of models) {
      for (const { tier, from, source } of others) {
        const model = exactNames(match)[0] ?? ''
        const atMs = Math.max(NOW, Date.parse(from ?? '1970-01-01'))
        const entry = priceTables.find({ provider, model, serviceTier: tier, atMs })
        // What has no price, or a correction, is charged by neither.
        if (entry?.version.startsWith(`${BUNDLE_VERSION} `) !== true) continue
        const sources = findSourceDifferences(entry).map((each) => each.source)
        if (sources.includes(source)) found += 1
        else lost.push(`${provider} ${model} ${tier}`)
      }
    }
  }
  assert.deepEqual(lost, [])
  assert.ok(found > 0)
})
