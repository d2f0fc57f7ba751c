import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleCall } from '../../../test/fakes/stored-calls.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import { priceEvent } from '../tables/price.ts'
import type { PriceRule } from '../../core/price-rule.ts'
import { BUNDLE_PUBLISHED_AT } from '../data/bundle.ts'
import type { ImportedPrices, PriceSettings } from '../../store/settings/price-store.ts'
import { loadConfig } from '../../config/config.ts'
import { createConfiguredTables, joinRules, priceDataAt } from './configured-tables.ts'

const CONFIG = loadConfig({ env: {}, cwd: '/nonexistent' })
const NOTHING: PriceSettings = { revision: 0, rules: [], imported: null }
const JANUARY = Date.UTC(2026, 0, 1)
const MARCH = Date.UTC(2026, 2, 1)

function rule(id: string, changes: Partial<PriceRule> = {}): PriceRule {
  return {
    id,
    provider: 'acme',
    model: 'big',
    tier: null,
    effectiveFrom: JANUARY,
    price: { kind: 'rates', rates: { input: '1' } },
    note: null,
    createdAt: 0,
    ...changes,
  }
}

const IMPORT: ImportedPrices = {
  version: 'mine',
  publishedAt: MARCH,
  text: JSON.stringify({
    format: 'weir-prices/1',
    version: 'mine',
    published_at: '2026-03-01T00:00:00Z',
    models: [{ provider: 'acme', names: ['big'], prices: [{ rates: { input: '3' } }] }],
  }),
  importedAt: MARCH,
  who: 'ada',
}

function versionAt(settings: PriceSettings, atMs: number): string | undefined {
  const priceTables = createConfiguredTables(settings, CONFIG)
  return priceTables.find({ provider: 'acme', model: 'big', serviceTier: null, atMs })?.version
}

describe('the book of an installation', () => {
  test('knows the bundle, then what was imported, then rules above all', () => {
    assert.equal(versionAt(NOTHING, MARCH), undefined)
    const imported = { ...NOTHING, imported: IMPORT }
    assert.match(versionAt(imported, MARCH) ?? '', /^import mine acme\/big/)
    const rules = [rule('price_a')]
    assert.equal(versionAt({ ...imported, rules }, MARCH), 'override price_a@2026-01-01')
    assert.match(versionAt({ ...imported, rules }, JANUARY - 1) ?? '', /^import mine/)
  })

  test('is not made over an import that nobody can read', () => {
    const imported = { ...IMPORT, text: '{"format":"weir-prices/9"}' }
    assert.throws(() => createConfiguredTables({ ...NOTHING, imported }, CONFIG), {
      code: 'store_unusable',
      message: /The imported prices mine cannot be read/,
      hint: /weir prices import.*weir prices unset imported/,
    })
  })
})

const JOINED: readonly (readonly [string, Partial<PriceRule>, Partial<PriceRule>, string])[] = [
  ['of the same place and moment: the command’s', {}, {}, 'c'],
  ['of the same place, the file’s later: the command’s', {}, { effectiveFrom: MARCH }, 'c'],
  ['of the same place, the file’s earlier: each in its time', { effectiveFrom: MARCH }, {}, 'cf'],
  ['of another model: both', {}, { model: 'small' }, 'cf'],
  ['of another tier: both', {}, { tier: 'batch' }, 'cf'],
  ['of another provider: both', {}, { provider: 'north' }, 'cf'],
  [
    'a factor against rates: the command’s',
    { price: { kind: 'multiplier', factor: '2' } },
    {},
    'c',
  ],
]

describe('rules of the command line and of the file,', () => {
  for (const [name, commanded, filed, expected] of JOINED) {
    test(name, () => {
      const rules = joinRules([rule('c', commanded)], [rule('f', filed)])
      assert.equal(rules.map(({ id }) => id).join(''), expected)
    })
  }
})

test('the price data is as old as its newest part', () => {
  assert.equal(priceDataAt(NOTHING), BUNDLE_PUBLISHED_AT)
  assert.equal(priceDataAt({ ...NOTHING, imported: IMPORT }), BUNDLE_PUBLISHED_AT)
  const publishedAt = BUNDLE_PUBLISHED_AT + 1
  assert.equal(priceDataAt({ ...NOTHING, imported: { ...IMPORT, publishedAt } }), publishedAt)
})

describe('a provider on the machines of the operator', () => {
  const config = loadConfig({
    env: { WEIR_PROVIDER_BENCH_URL: 'http://127.0.0.1:11434', WEIR_PROVIDER_BENCH_SHAPE: 'ollama' },
    cwd: '/nonexistent',
  })
  const call = (provider: string) =>
    sampleCall({ provider, model: 'llama3:8b', endedAt: MARCH, serviceTier: 'default' })

  test('is free, also under a name of its own', () => {
    const priceTables = createConfiguredTables(NOTHING, config)
    for (const provider of ['ollama', 'bench']) {
      assert.deepEqual(priceEvent(call(provider), priceTables), {
        amount: 0n,
        source: 'free',
        priceVersion: `local ${provider}`,
      })
      const shown = priceTables.list({ provider, model: 'llama3:8b', atMs: MARCH })
      assert.deepEqual(
        shown.map(({ tier, entry }) => [tier, entry.rates.isFree]),
        [['standard', true]],
      )
    }
    assert.equal(priceEvent(call('openai'), priceTables).source, 'unpriced')
  })

  test('costs what the operator sets', () => {
    const rules = [rule('price_1', { provider: 'ollama', model: 'llama3*' })]
    const priceTables = createConfiguredTables({ ...NOTHING, rules }, config)
    // 1,000 input tokens at 1 USD per million; output has no rate, so only input is used here.
    const event = { ...call('ollama'), tokens: createTokenCounts({ input: 1000 }) }
    const { amount, source } = priceEvent(event, priceTables)
    assert.deepEqual([amount, source], [1_000_000_000n, 'override'])
  })
})
