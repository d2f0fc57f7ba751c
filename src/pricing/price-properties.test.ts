import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PriceRule } from '../core/price-rule.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import type { TokenCounts } from '../core/token-counts.ts'
import { isFault, toCharges } from './tables/charges.ts'
import { createPriceTables } from './tables/price-tables.ts'
import { sumParts } from './tables/priced-parts.ts'
import { isUnknown, scaleRates } from './tables/price-table.ts'
import type { PriceEntry, Rate, Rates, TokenUnit } from './tables/price-table.ts'
import { toRuleRates } from './tables/rate-text.ts'

// Every price that any list has had: no model is let off, and none that is added later.
const priceTables = createPriceTables()
const MOMENTS = [
  '2024-01-01T02:00:00Z',
  '2025-12-20T12:00:00Z',
  '2026-08-20T02:00:00Z',
  '2026-11-15T12:00:00Z',
  '2027-02-01T08:00:00Z',
].map((text) => Date.parse(text))

const ENTRIES: ReadonlyMap<string, PriceEntry> = new Map(
  priceTables
    .listModels()
    .flatMap((listed) => MOMENTS.flatMap((atMs) => priceTables.list({ ...listed, atMs })))
    .map(({ entry }) => [entry.version, entry]),
)

function priceOf(entry: PriceEntry, counts: Partial<TokenCounts>, searches = 0): bigint | null {
  const toolCalls = searches === 0 ? {} : { web_search: searches }
  const charges = toCharges({ tokens: createTokenCounts(counts), toolCalls }, entry.rates)
  return isFault(charges) ? null : sumParts([{ model: '', charges, entry }])
}

/** Below, at and above the steps that lists have. */
const PROMPTS = [0, 1, 999, 128_000, 128_001, 200_000, 200_001, 271_999, 272_000, 272_001, 900_000]

test('a cache hit never costs more than a miss, for any price there is', () => {
  let compared = 0
  for (const [version, entry] of ENTRIES) {
    for (const input of PROMPTS) {
      const miss = priceOf(entry, { input })
      for (const cacheRead of [1, input >> 1, input].filter((count) => count <= input)) {
        const hit = priceOf(entry, { input, cacheRead })
        if (miss === null || hit === null) continue
        assert.ok(hit <= miss, `${version}: ${cacheRead} of ${input} cached costs more`)
        assert.ok(hit >= 0n)
        compared += 1
      }
    }
  }
  assert.ok(compared > 10_000, `${compared} compared`)
})

test('a hit among sound and images never costs more than a miss', () => {
  const part = fc.nat({ max: 300_000 })
  const entries = [...ENTRIES.values()].filter(
    ({ rates: { tokens } }) => tokens.inputAudio !== undefined || tokens.inputImage !== undefined,
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...entries),
      fc.record({ text: part, inputAudio: part, inputImage: part }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (entry, { text, ...parts }, share) => {
        const input = text + parts.inputAudio + parts.inputImage
        const cacheRead = Math.floor(input * share)
        const miss = priceOf(entry, { ...parts, input })
        const hit = priceOf(entry, { ...parts, input, cacheRead })
        if (miss !== null && hit !== null) assert.ok(hit <= miss, entry.version)
      },
    ),
    { numRuns: 2000 },
  )
})

/** A part and the whole that it is counted in. */
const KINDS: readonly (readonly (keyof TokenCounts)[])[] = [
  ['input'],
  ['output'],
  ['input', 'cacheRead'],
  ['input', 'cacheWrite5m'],
  ['input', 'cacheWrite1h'],
  ['input', 'inputAudio'],
  ['input', 'inputImage'],
  ['input', 'cacheRead', 'cacheReadAudio'],
  ['input', 'cacheRead', 'cacheReadImage'],
  ['output', 'reasoning'],
  ['output', 'outputAudio'],
  ['output', 'outputImage'],
]

test('another token of any kind, or another search, never makes a call cheaper', () => {
  const part = fc.nat({ max: 150_000 })
  const entries = fc.constantFrom(...ENTRIES.values())
  const counts = fc.record({
    text: part,
    cacheRead: part,
    cacheWrite5m: part,
    inputAudio: part,
    written: part,
    reasoning: part,
  })
  fc.assert(
    fc.property(entries, counts, fc.constantFrom(...KINDS), (entry, some, kind) => {
      const { text, written, ...parts } = some
      const tokens = createTokenCounts({
        ...parts,
        input: text + parts.cacheRead + parts.cacheWrite5m + parts.inputAudio,
        output: written + parts.reasoning,
      })
      const more: Partial<Record<keyof TokenCounts, number>> = { ...tokens }
      for (const unit of kind) more[unit] = (more[unit] ?? 0) + 1
      const before = priceOf(entry, tokens)
      const after = priceOf(entry, more)
      if (before === null || after === null) return
      assert.ok(before >= 0n && after >= before, `${entry.version}: ${kind.join(' ')}`)
      const searched = priceOf(entry, tokens, 1)
      if (searched !== null) assert.ok(searched >= before, entry.version)
    }),
    { numRuns: 5000 },
  )
})

const NOW = Date.parse('2026-11-15T12:00:00Z')

function tokensOf({ tokens }: Rates): readonly (readonly [TokenUnit, Rate])[] {
  return Object.entries(tokens) as [TokenUnit, Rate][]
}

/** Every rate of the ordinary tier, three times. */
function tripled(provider: string, model: string, standard: Rates): PriceRule {
  const rates = toRuleRates(scaleRates(standard, { numerator: 3n, denominator: 1n }))
  const about = { id: 'price_3', tier: null, note: null, createdAt: 0, effectiveFrom: 0 }
  return { ...about, provider, model: model.toLowerCase(), price: { kind: 'rates', rates } }
}

test('three times the list for a model is three times the list in all of its tiers', () => {
  let compared = 0
  for (const { provider, model } of priceTables
    .listModels()
    .filter((_, index) => index % 3 === 0)) {
    const listed = priceTables.list({ provider, model, atMs: NOW })
    const standard = listed.find(({ tier }) => tier === 'standard')?.entry.rates
    if (standard === undefined || standard.isFree || isUnknown(standard)) continue
    const own = createPriceTables({ rules: [tripled(provider, model, standard)] })
    for (const { tier, entry } of listed) {
      const found = own.find({ provider, model, serviceTier: tier, atMs: NOW })
      const where = `${provider} ${model} ${tier}`
      if (isUnknown(entry.rates)) {
        assert.ok(found === null || isUnknown(found.rates), where)
        continue
      }
      assert.equal(found?.source, 'override', where)
      for (const [unit, rate] of tokensOf(entry.rates)) {
        const before = standard.tokens[unit]
        if (before === undefined || before.base === 0n) continue
        assert.equal(found?.rates.tokens[unit]?.base, rate.base * 3n, `${where} ${unit}`)
        compared += 1
      }
      for (const [kind, rate] of Object.entries(entry.rates.toolCalls)) {
        if (standard.toolCalls[kind] === undefined) continue
        assert.equal(found?.rates.toolCalls[kind]?.base, rate.base * 3n, `${where} ${kind}`)
      }
    }
  }
  assert.ok(compared > 1000, `${compared} compared`)
})

/** Returns how many rates were compared. */
function assertTenthMore(found: Rates | undefined, { rates, version }: PriceEntry): number {
  assert.deepEqual(found?.toolCalls, rates.toolCalls, version)
  for (const [unit, rate] of tokensOf(rates)) {
    const more: Rate | undefined = found?.tokens[unit]
    assert.equal((more?.base ?? 0n) * 10n, rate.base * 11n, `${version} ${unit}`)
    for (const [at, step] of rate.steps.entries()) {
      assert.equal((more?.steps[at]?.rate ?? 0n) * 10n, step.rate * 11n, `${version} ${unit}`)
    }
  }
  return tokensOf(rates).length
}

test('a region adds its tenth to whatever tier was served, and to no fee', () => {
  let compared = 0
  for (const { provider, model } of priceTables.listModels()) {
    if (provider !== 'openai' && provider !== 'vertex') continue
    const listed = priceTables.list({ provider, model, atMs: NOW })
    const hasRegion = listed.some(({ tier }) => tier === 'regional')
    for (const { tier: serviceTier, entry } of listed) {
      if (serviceTier === 'regional') continue
      const question = { provider, model, serviceTier, region: 'europe-west1', atMs: NOW }
      const found = priceTables.find(question)
      if (hasRegion && !entry.rates.isFree) compared += assertTenthMore(found?.rates, entry)
      else assert.deepEqual(found?.rates, entry.rates, entry.version)
    }
  }
  assert.ok(compared > 100, `${compared} compared`)
})
