import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMoney } from '../../core/money.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import { isFault, toCharges } from './charges.ts'
import { MODEL_LENGTH_MAX } from './model-match.ts'
import { createPriceTables } from './price-tables.ts'
import { sumParts } from './priced-parts.ts'
import { STANDARD_TIER } from './price-table.ts'
import type { PriceTable, PriceVersion } from './price-table.ts'

const priceTables = createPriceTables()
const NOW = Date.parse('2026-11-01T12:00:00Z')
const DAY_MS = 86_400_000

function find(model: string, changes: { at?: string; tier?: string; provider?: string } = {}) {
  const atMs = changes.at === undefined ? NOW : Date.parse(changes.at)
  const { provider = 'openai', tier = null } = changes
  return priceTables.find({ provider, model, serviceTier: tier, atMs })
}

/** The base rate in USD per million tokens, which is how price lists read. */
function usdPerMillion(rate: { base: bigint } | undefined): number | null {
  return rate === undefined ? null : Number(rate.base) / 1e18
}

const RATE_CASES = [
  // model, input, cached, output
  ['gpt-4o', 2.5, 1.25, 10],
  ['gpt-4o-2024-05-13', 5, null, 15],
  ['gpt-4o-mini-2024-07-18', 0.15, 0.075, 0.6],
  ['GPT-4.1-Nano', 0.1, 0.025, 0.4],
  ['gpt-5', 1.25, 0.125, 10],
  ['o4-mini', 1.1, 0.275, 4.4],
  ['text-embedding-3-small', 0.02, null, null],
  ['ft:gpt-4o-2024-08-06:acme::abc', 3.75, 1.875, 15],
  ['ft:gpt-4o-mini-2024-07-18:acme::abc', 0.3, 0.15, 1.2],
] as const

for (const [model, input, cached, output] of RATE_CASES) {
  test(`${model} has its list prices`, () => {
    const tokens = find(model)?.rates.tokens
    const rates = [tokens?.input, tokens?.cacheRead, tokens?.output].map(usdPerMillion)
    assert.deepEqual(rates, [input, cached, output])
  })
}

const UNKNOWN_MODELS = [
  ['a newer model that begins like a known one', 'gpt-4o-realtime-3'],
  ['a variant of a known model', 'gpt-5-nano-turbo'],
  ['a fine-tuned model that the list does not have', 'ft:gpt-99-2025-04-14:acme::abc'],
  ['a fine-tuned model is not its base', 'ft:gpt-5:acme::abc'],
  ['a snapshot older than those known', 'gpt-4o-2024-06-01'],
  ['an invented model', 'gpt-99'],
  ['an empty name', ''],
  ['an endless name', `gpt-4o${'-'.repeat(MODEL_LENGTH_MAX)}`],
] as const

for (const [title, model] of UNKNOWN_MODELS) {
  test(`no price is made up for ${title}`, () => assert.equal(find(model), null))
}

test('a new dated snapshot of a known model is charged like that model', () => {
  assert.equal(find('gpt-4.1-2026-10-01')?.version, find('gpt-4.1')?.version)
})

test('the audio of gpt-4o-audio-preview has its own rate', () => {
  for (const model of ['gpt-4o-audio-preview', 'gpt-4o-audio-preview-2025-06-03']) {
    const tokens = find(model)?.rates.tokens
    assert.equal(usdPerMillion(tokens?.inputAudio), 40)
    assert.equal(usdPerMillion(tokens?.outputAudio), 80)
  }
})

test('a price is in force from its start date, by UTC midnight', () => {
  const rate = (at: string) => usdPerMillion(find('o3', { at })?.rates.tokens.input)
  assert.equal(rate('2025-06-09T23:59:59.999Z'), 10)
  assert.equal(rate('2025-06-10T00:00:00Z'), 2)
  const { version = '' } = find('o3', { at: '2026-01-01' }) ?? {}
  assert.match(version, /^\S+@[\d.]+ openai\/o3@2025-06-10 #[0-9a-f]{8}$/)
})

test('hours of the day do not hold before the start date that they belong to', () => {
  const rate = (at: string) =>
    usdPerMillion(find('deepseek-v4-pro', { provider: 'deepseek', at })?.rates.tokens.input)
  assert.equal(rate('2026-08-16T02:00:00Z'), 0.435)
  assert.equal(rate('2026-08-17T02:00:00Z'), 1.32)
  assert.equal(rate('2026-08-17T05:00:00Z'), 0.66)
})

test('a long prompt has the higher rate', () => {
  assert.deepEqual(find('gpt-5.4')?.rates.tokens.input, {
    base: 2_500_000_000_000_000_000n,
    steps: [{ aboveInput: 272_000, rate: 5_000_000_000_000_000_000n }],
  })
})

test('flex is half the token price and the same price for tools', () => {
  const flex = find('gpt-5', { tier: 'flex' })
  assert.equal(usdPerMillion(flex?.rates.tokens.input), 0.625)
  assert.deepEqual(flex?.rates.toolCalls, find('gpt-5')?.rates.toolCalls)
  assert.match(flex?.version ?? '', / flex #[0-9a-f]{8}$/)
})

test('a tier whose rates nobody knows has no price', () => {
  assert.equal(find('gpt-5', { tier: 'teleport' }), null)
  assert.equal(find('gpt-5', { tier: 'default' }), find('gpt-5'))
})

/** 20 of the input are neither read from the cache nor written to it. */
const CACHED = createTokenCounts({
  input: 6020,
  cacheRead: 5000,
  cacheWrite5m: 600,
  cacheWrite1h: 400,
  output: 300,
})

const CLAUDE_CASES = [
  // provider, model, tier, searches, cost
  // 20 x 3 + 5000 x 0.3 + 600 x 3.75 + 400 x 6 + 300 x 15 = 10710 a million, and 2 x $0.01
  ['anthropic', 'claude-sonnet-4-5-20250929', null, 2, '0.03071'],
  ['anthropic', 'claude-sonnet-4-5', 'standard', 0, '0.01071'],
  // Half of that, a tenth more, and both; searches are never discounted.
  ['anthropic', 'claude-sonnet-4-5', 'batch', 2, '0.025355'],
  ['anthropic', 'claude-sonnet-4-5', 'geo-us', 0, '0.011781'],
  ['anthropic', 'claude-sonnet-4-5', 'batch+geo-us', 0, '0.0058905'],
  ['anthropic', 'claude-sonnet-4-5', 'priority', 0, null],
  ['anthropic', 'claude-sonnet-4-5', 'fast', 0, null],
  ['anthropic', 'claude-sonnet-4-5', 'fast+geo-us', 0, null],
  ['anthropic', 'claude-sonnet-4-5', 'geo-eu', 0, null],
  ['anthropic', 'claude-sonnet-4-5', 'credit', 0, null],
  // 20 x 3.3 + 5000 x 0.33 + 600 x 4.125 + 400 x 6.6 + 300 x 16.5 = 11781 a million
  ['bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', null, 0, '0.011781'],
  ['bedrock', 'anthropic.claude-sonnet-4-5-20250929-v1:0', 'default', 0, '0.011781'],
  ['bedrock', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0', null, 0, '0.01071'],
  // 20 x 5.5 + 5000 x 0.55 + 600 x 6.875 + 400 x 11 + 300 x 27.5 = 19635 a million
  ['bedrock', 'eu.anthropic.claude-opus-4-6-v1', null, 0, '0.019635'],
  ['bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'flex', 0, null],
  ['bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'latency-optimized', 0, null],
  ['bedrock', 'arn:aws:bedrock:us-east-1:123456789012:prompt/abc', null, 0, null],
] as const

for (const [provider, model, tier, searches, cost] of CLAUDE_CASES) {
  test(`${model} with a cache on ${provider}, tier ${tier}, costs ${cost ?? 'nobody knows what'}`, () => {
    const entry = priceTables.find({ provider, model, serviceTier: tier, atMs: NOW })
    const used = { tokens: CACHED, toolCalls: searches === 0 ? {} : { web_search: searches } }
    const charges = entry === null ? [] : toCharges(used, entry.rates)
    const parts = entry === null || isFault(charges) ? [] : [{ model, charges, entry }]
    assert.equal(parts.length === 0 ? null : formatMoney(sumParts(parts)), cost)
  })
}

test('a provider that merely sounds like a known one has no prices', () => {
  assert.equal(find('gpt-4o', { provider: 'my-openai' }), null)
  assert.equal(find('openai/gpt-4o', { provider: 'gateway' }), null)
})

test('every bundled table compiles into rates that a model of it can be found by', () => {
  assert.ok(find('claude-opus-4-5-20251101', { provider: 'anthropic' }) !== null)
  assert.ok(find('gpt-4o', { provider: 'azure' }) !== null)
  assert.ok(find('mistral-large-latest', { provider: 'mistral' }) !== null)
})

function createTable(versionsOf: (model: string) => string | null, fromMs: number): PriceTable {
  return {
    findVersions(_provider, model) {
      const version = versionsOf(model)
      return version === null ? null : [toVersion(version, { fromMs, hours: null })]
    },
    listModels: () => [],
  }
}

test('an earlier table wins, and its gaps are filled by the next', () => {
  const own = createTable((model) => (model === 'gpt-4o' ? 'own' : null), NOW)
  const bundled = createTable((model) => `bundled ${model}`, -Infinity)
  const layered = createPriceTables({ tables: [own, bundled] })
  const ask = (model: string, atMs: number) =>
    layered.find({ provider: 'p', model, serviceTier: null, atMs })?.version
  assert.equal(ask('gpt-4o', NOW), 'own')
  assert.equal(ask('gpt-4o', NOW - 1), 'bundled gpt-4o')
  assert.equal(ask('other', NOW), 'bundled other')
})

test('versions of several tables hold as if each table were asked in turn', () => {
  const hour = fc.integer({ min: 0, max: 24 }).map((hours) => hours * 3_600_000)
  const version = fc.record({
    fromMs: fc.oneof(
      fc.constant(-Infinity),
      fc.integer({ min: 0, max: 9 }).map((day) => day * DAY_MS),
    ),
    hours: fc.option(fc.record({ startMs: hour, endMs: hour })),
  })
  const tables = fc.array(fc.array(version, { maxLength: 4 }), { maxLength: 3 })
  const moments = fc.integer({ min: 0, max: 240 }).map((hours) => hours * 3_600_000)
  fc.assert(
    fc.property(tables, fc.boolean(), moments, (drawn, isSorted, atMs) => {
      const lists = drawn.map((list, table) => {
        const order = isSorted
          ? list.toSorted((one, two) => (one.fromMs < two.fromMs ? -1 : 1))
          : list
        return order.map((each, at) => toVersion(`${table}.${at}`, each))
      })
      const isInForce = ({ fromMs, hours }: PriceVersion): boolean => {
        const time = atMs % DAY_MS
        if (fromMs > atMs || hours === null) return fromMs <= atMs
        const [isAfter, isBefore] = [time >= hours.startMs, time < hours.endMs]
        return hours.startMs <= hours.endMs ? isAfter && isBefore : isAfter || isBefore
      }
      const first = lists
        .map((list) => list.findLast(isInForce))
        .find((found) => found !== undefined)
      const asked = createPriceTables({
        tables: lists.map((list) => ({ findVersions: () => list, listModels: () => [] })),
      }).find({ provider: 'p', model: 'm', serviceTier: null, atMs })
      assert.equal(asked?.version, first?.entries.get(STANDARD_TIER)?.version)
    }),
    { numRuns: 2000 },
  )
})

function toVersion(version: string, when: Pick<PriceVersion, 'fromMs' | 'hours'>): PriceVersion {
  const rates = { tokens: {}, toolCalls: {}, request: null, isFree: true }
  const entries = new Map([[STANDARD_TIER, { rates, source: 'price-book', version } as const]])
  return { ...when, entries, modelId: 'm' }
}

test('a model is looked up in the tables once, until more names came than are kept', () => {
  let lookUps = 0
  const counting = createTable((model) => {
    lookUps += 1
    return `bundled ${model}`
  }, -Infinity)
  const small = createPriceTables({ tables: [counting], modelsCachedMax: 2 })
  const ask = (model: string) => small.find({ provider: 'p', model, serviceTier: null, atMs: NOW })
  for (const model of ['a', 'b', 'a', 'b']) ask(model)
  assert.equal(lookUps, 2)
  ask('c')
  assert.equal(ask('a')?.version, 'bundled a')
  assert.equal(lookUps, 4)
})
